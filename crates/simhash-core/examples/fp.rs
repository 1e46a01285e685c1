use simhash_core::fingerprint::Fingerprinter; use simhash_core::options::Options; use std::io::Read;
fn main(){ let a:Vec<String>=std::env::args().collect(); let mut s=String::new(); flate2::read::GzDecoder::new(std::fs::File::open(&a[1]).unwrap()).read_to_string(&mut s).unwrap();
let o=Options::from_json(&a[2]).unwrap(); let mut f=Fingerprinter::default();
for l in s.lines(){ let v:serde_json::Value=serde_json::from_str(l).unwrap(); let t=v["text"].as_str().unwrap(); if let Some(x)=f.fingerprint(t,&o,&mut ||()).unwrap(){ println!("{}\t{}", v["id"].as_str().map(|s|s.to_owned()).unwrap_or(v["id"].to_string()), x); } } }
