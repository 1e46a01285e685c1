use simhash_core::fingerprint::Fingerprinter;
use simhash_core::options::Options;
use std::io::Read;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut s = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(&a[1]).unwrap()).read_to_string(&mut s).unwrap();
    let t: Vec<String> = s
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap()["text"].as_str().unwrap().to_owned())
        .collect();
    let o = Options::from_json(&a[2]).unwrap();
    let mut f = Fingerprinter::default();
    simhash_core::dictionary::preload();
    let b: usize = t.iter().map(|x| x.len()).sum();
    let mut best = f64::MAX;
    for _ in 0..10 {
        let n = std::time::Instant::now();
        for x in &t {
            std::hint::black_box(f.fingerprint(x, &o, &mut || ()).unwrap());
        }
        best = best.min(n.elapsed().as_secs_f64());
    }
    println!("{:.1} MB/s", b as f64 / 1e6 / best);
}
