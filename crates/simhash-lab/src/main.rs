//! The quality lab: reads corpora, and writes tables and plots of how well fingerprints find near-duplicates.
//!
//! ```text
//! corpus ── gold             pairs that are near-duplicates
//!        ── grid ── measure  fingerprints of each configuration, the pairs they find
//!        ── judge ── methods, sentences, stages   other methods, on the same pairs
//!        ── widths           64, 128 and 256 bits
//! results ── bars, plot, report
//! ```

mod bars;
mod corpus;
mod gold;
mod grid;
mod judge;
mod measure;
mod methods;
mod plot;
mod report;
mod results;
mod sentences;
mod stages;
mod widths;

use corpus::{Corpus, corpus_name};
use gold::GoldPair;
use grid::{Configuration, Role};
use measure::{Measured, measure};
use results::Results;
use simhash_text::fingerprint::Fingerprinter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

const USAGE: &str = "usage: simhash-lab [--data DIR] [--out DIR] [--seeds N] [FILE.jsonl[.gz] ...]

Measures the corpora of DIR that its gold_pairs.tsv[.gz] lists, and the files given;
writes report.md, figures.tsv and one plot per corpus into the folder --out (default docs/quality).";

const DEFAULT_OUT: &str = "docs/quality";
const DEFAULT_SEEDS: u64 = 5;

/// The arguments of the command line.
struct Arguments {
    data: Option<PathBuf>,
    out: PathBuf,
    seeds: u64,
    files: Vec<PathBuf>,
}

/// Measures. The exit status is 2 if that fails.
fn main() -> ExitCode {
    if env::args().skip(1).any(|a| a == "--help" || a == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match parse(env::args().skip(1)).and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("simhash-lab: {message}");
            ExitCode::from(2)
        }
    }
}

/// Parses the command line.
fn parse(mut given: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments =
        Arguments { data: None, out: DEFAULT_OUT.into(), seeds: DEFAULT_SEEDS, files: Vec::new() };
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--data" => arguments.data = Some(value()?.into()),
            "--out" => arguments.out = value()?.into(),
            "--seeds" => {
                let seeds = value()?;
                let number = seeds.parse().ok().filter(|n| *n > 0);
                arguments.seeds = number.ok_or_else(|| format!("--seeds {seeds}: not a positive number"))?;
            }
            flag if flag.starts_with('-') => return Err(format!("unknown option {flag}\n{USAGE}")),
            file => arguments.files.push(file.into()),
        }
    }
    Ok(arguments)
}

/// Reads, measures and reports.
fn run(arguments: &Arguments) -> Result<(), String> {
    let files = corpus_files(arguments)?;
    let grid = grid::configurations();
    let mut results = Vec::new();
    for file in &files {
        let (corpus, gold) = read(file)?;
        eprintln!("{}: {} documents, {} gold pairs", corpus.name, corpus.documents.len(), gold.len());
        results.push(measure_corpus(&grid, &corpus, &gold, arguments.seeds));
    }
    let bars = bars::check(&grid, &results);
    print!("{}", report::bars_table(&bars));

    let write = |name: &str, content: String| {
        let path = arguments.out.join(name);
        fs::write(&path, content).map_err(|e| format!("{}: {e}", path.display()))
    };
    fs::create_dir_all(&arguments.out).map_err(|e| format!("{}: {e}", arguments.out.display()))?;
    write("report.md", report::markdown(&grid, &results, &bars))?;
    write("figures.tsv", report::tsv(&grid, &results))?;
    for corpus in results.iter().filter(|c| c.has_truth()) {
        write(&format!("{}.svg", corpus.name), plot::svg(&grid, corpus))?;
    }
    eprintln!("written to {}", arguments.out.display());
    Ok(())
}

/// The files to measure: those of the data folder that have gold pairs, then the files of the command line. No file comes twice.
fn corpus_files(arguments: &Arguments) -> Result<Vec<PathBuf>, String> {
    let mut files = match &arguments.data {
        Some(folder) if folder.is_dir() => listed_files(folder)?,
        Some(folder) => return Err(format!("{}: no such folder", folder.display())),
        None => Vec::new(),
    };
    for file in &arguments.files {
        let same =
            |other: &PathBuf| matches!((file.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b);
        if let Some(other) = files.iter().find(|f| !same(f) && corpus_name(f) == corpus_name(file)) {
            return Err(format!("{} and {} have the same name", other.display(), file.display()));
        }
        if !files.iter().any(same) {
            files.push(file.clone());
        }
    }
    if files.is_empty() {
        return Err(match &arguments.data {
            Some(folder) => format!("{}: no corpus with gold pairs, and no files given", folder.display()),
            None => format!("no corpora: give a folder with --data DIR, or name FILE.jsonl[.gz]\n{USAGE}"),
        });
    }
    Ok(files)
}

/// The corpora of a folder that its file of gold pairs lists, sorted by name.
fn listed_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let Some(gold) = gold::gold_file(folder) else { return Ok(Vec::new()) };
    let listed = gold::listed_corpora(&gold)?;
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| corpus_name(path).is_some_and(|name| listed.contains(name)))
        .collect();
    files.sort();
    // A packed and an unpacked file with the same name are the same corpus.
    files.dedup_by(|a, b| corpus_name(a) == corpus_name(b));
    Ok(files)
}

/// A corpus with its gold pairs. They are read from the file beside it. They are computed if that file does not list the corpus, or
/// if folding changes the texts of the corpus.
fn read(file: &Path) -> Result<(Corpus, Vec<GoldPair>), String> {
    let corpus = Corpus::read(file)?;
    let listed = match file.parent().and_then(gold::gold_file) {
        Some(gold) => gold::read(&gold, &corpus)?,
        None => Vec::new(),
    };
    if !listed.is_empty() && !gold::is_changed_by_folding(&corpus) {
        return Ok((corpus, listed));
    }
    eprintln!("{}: computing the gold pairs", corpus.name);
    let computed = gold::compute(&corpus)?;
    Ok((corpus, computed))
}

/// Measures every configuration on a corpus, and those with a role other than `Other` with further seeds.
fn measure_corpus(grid: &[Configuration], corpus: &Corpus, gold: &[GoldPair], seeds: u64) -> Results {
    let spread: Vec<usize> = (0..grid.len()).filter(|i| grid[*i].role != Role::Other).collect();
    let mut tasks: Vec<Configuration> = grid.to_vec();
    for i in &spread {
        tasks.extend((1..seeds).map(|seed| grid[*i].seeded(grid[*i].options.seed + seed)));
    }
    let mut measured = measure_all(&tasks, corpus, gold);
    let further = measured.split_off(grid.len());
    let mut further = further.into_iter();
    let spread = spread
        .into_iter()
        .map(|i| {
            let all = std::iter::once(measured[i].clone()).chain(further.by_ref().take(seeds as usize - 1));
            (i, all.collect())
        })
        .collect();
    eprintln!("{}: sentences and exact measures", corpus.name);
    let methods = methods::measure(corpus, gold);
    eprintln!("{}: 64, 128 and 256 bits", corpus.name);
    let widths = widths::measure(corpus, gold, seeds);
    let (name, documents) = (corpus.name.clone(), corpus.documents.len());
    Results { name, documents, measured, spread, methods, widths }
}

/// Measures `tasks` with one thread for each core. Each thread takes the next task that no other thread has taken.
fn measure_all(tasks: &[Configuration], corpus: &Corpus, gold: &[GoldPair]) -> Vec<Measured> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Measured>>> = Mutex::new(vec![None; tasks.len()]);
    let work = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(i) else { return };
            eprintln!("{}: {} of {}: {}", corpus.name, i + 1, tasks.len(), task.name());
            // A new one for each task: what it caches about words is valid for one seed only.
            let measured = measure(&mut Fingerprinter::default(), &task.options, corpus, gold);
            done.lock().expect("no thread panics")[i] = Some(measured);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let done = done.into_inner().expect("no thread panics");
    done.into_iter().map(|m| m.expect("every task was taken")).collect()
}
