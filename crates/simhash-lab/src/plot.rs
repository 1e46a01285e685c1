//! Plots: precision and recall against k, as SVG.

use crate::grid::{Configuration, Role};
use crate::measure::{Figures, HALF, MAX_K, NINE};
use crate::results::Results;
use std::fmt::Write;

const WIDTH: f64 = 1070.0;
const HEIGHT: f64 = 430.0;
const PANEL_WIDTH: f64 = 320.0;
const PANEL_HEIGHT: f64 = 270.0;
const PANEL_TOP: f64 = 100.0;
const PANEL_LEFTS: [f64; 2] = [70.0, 580.0];

/// The least distance between two labels at the ends of lines.
const LABEL_GAP: f64 = 16.0;

/// The default's colour, then the baselines'; colour-blind readers can distinguish them too.
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#aa4499"];

/// A line of the plot.
struct Series<'a> {
    label: String,
    title: String,
    colour: &'static str,
    width: f64,
    figures: &'a Figures,
}

/// Precision and recall of the default and the baselines on one corpus.
pub fn svg(grid: &[Configuration], corpus: &Results) -> String {
    let shown = grid.iter().zip(&corpus.measured);
    let shown = shown.filter(|(c, _)| matches!(c.role, Role::Default | Role::Baseline));
    let series: Vec<Series> = shown
        .zip(COLOURS.iter().cycle())
        .map(|((configuration, m), colour)| Series {
            label: configuration.name(),
            title: configuration.title(),
            colour,
            width: if configuration.role == Role::Default { 3.0 } else { 1.75 },
            figures: &m.all,
        })
        .collect();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\" \
         fill=\"#333\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let Results { name, documents, .. } = corpus;
    text(
        &mut out,
        (PANEL_LEFTS[0], 28.0),
        "font-size=\"16\" font-weight=\"bold\"",
        &format!("{name}, {documents} documents"),
    );
    legend(&mut out, &series);
    panel(
        &mut out,
        PANEL_LEFTS[0],
        "Precision: share of the pairs found with Jaccard ≥ 0.5",
        &series,
        |f, k| f.precision(HALF, k),
    );
    panel(
        &mut out,
        PANEL_LEFTS[1],
        "Recall: share of the pairs with Jaccard ≥ 0.9 found",
        &series,
        |f, k| f.recall(NINE, k),
    );
    out.push_str("</svg>\n");
    out
}

/// One row of line samples with the titles of the series.
fn legend(out: &mut String, series: &[Series]) {
    for (i, Series { title, colour, width, .. }) in series.iter().enumerate() {
        let x = PANEL_LEFTS[0] + 240.0 * i as f64;
        line(out, (x, 52.0), (x + 26.0, 52.0), &format!("stroke=\"{colour}\" stroke-width=\"{width}\""));
        text(out, (x + 33.0, 56.0), "", title);
    }
}

/// Axes, lines and the labels at their ends.
fn panel(
    out: &mut String,
    left: f64,
    title: &str,
    series: &[Series],
    figure: impl Fn(&Figures, usize) -> Option<f64>,
) {
    let x = |k: usize| left + PANEL_WIDTH * k as f64 / MAX_K as f64;
    let y = |share: f64| PANEL_TOP + PANEL_HEIGHT * (1.0 - share);
    text(out, (left, PANEL_TOP - 14.0), "font-weight=\"bold\"", title);
    for tenths in (0..=10).step_by(2) {
        let share = f64::from(tenths) / 10.0;
        let colour = if tenths == 0 { "#333" } else { "#ddd" };
        line(out, (left, y(share)), (x(MAX_K), y(share)), &format!("stroke=\"{colour}\""));
        text(out, (left - 8.0, y(share) + 4.0), "text-anchor=\"end\"", &format!("{share:.1}"));
    }
    for k in 0..=MAX_K {
        line(out, (x(k), y(0.0)), (x(k), y(0.0) + 4.0), "stroke=\"#333\"");
        text(out, (x(k), y(0.0) + 18.0), "text-anchor=\"middle\"", &k.to_string());
    }
    let middle = x(MAX_K / 2);
    text(
        out,
        (middle, y(0.0) + 38.0),
        "text-anchor=\"middle\"",
        "k, the largest distance that counts as near",
    );

    let mut ends = Vec::new();
    // The default comes first and is drawn last, on top.
    for s in series.iter().rev() {
        let points: Vec<(f64, f64)> =
            (0..=MAX_K).filter_map(|k| Some((x(k), y(figure(s.figures, k)?)))).collect();
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let (colour, width) = (s.colour, s.width);
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
             stroke-linejoin=\"round\"/>",
            path.join(" ")
        );
        for (x, y) in &points {
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{}\" fill=\"{colour}\"/>",
                width + 0.75
            );
        }
        ends.extend(points.last().map(|(_, y)| (*y, s)));
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let positions = spread_out(&ends.iter().map(|(y, _)| *y).collect::<Vec<_>>());
    for ((end, s), position) in ends.iter().zip(positions) {
        let style = format!("stroke=\"{}\" stroke-width=\"0.75\"", s.colour);
        line(out, (x(MAX_K) + 6.0, *end), (x(MAX_K) + 18.0, position), &style);
        text(out, (x(MAX_K) + 22.0, position + 4.0), &format!("fill=\"{}\"", s.colour), &s.label);
    }
}

/// Positions for labels near `wanted`, which is sorted, at least a gap apart and inside the panel.
fn spread_out(wanted: &[f64]) -> Vec<f64> {
    let mut positions = wanted.to_vec();
    for i in 1..positions.len() {
        positions[i] = positions[i].max(positions[i - 1] + LABEL_GAP);
    }
    let mut most = PANEL_TOP + PANEL_HEIGHT;
    for position in positions.iter_mut().rev() {
        *position = position.min(most);
        most = *position - LABEL_GAP;
    }
    positions
}

/// A straight line.
fn line(out: &mut String, from: (f64, f64), to: (f64, f64), style: &str) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(out, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>");
}

/// A line of text. Characters that are special in XML are escaped.
fn text(out: &mut String, (x, y): (f64, f64), style: &str, content: &str) {
    let content = content.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{content}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_touch() {
        let bottom = PANEL_TOP + PANEL_HEIGHT;
        assert_eq!(spread_out(&[120.0, 125.0, 200.0]), [120.0, 136.0, 200.0]);
        assert_eq!(spread_out(&[bottom - 1.0, bottom]), [bottom - LABEL_GAP, bottom]);
    }
}
