use simhash_core::{fingerprint::Fingerprinter,options::Options,normalise::normalise,hash::feature_hash}; use std::io::{Read,Write}; use std::collections::HashMap;
fn main(){ let a:Vec<String>=std::env::args().collect(); let mut s=String::new(); flate2::read::GzDecoder::new(std::fs::File::open(&a[1]).unwrap()).read_to_string(&mut s).unwrap();
let vars=[r#""runs":1,"noise":"drop""#,r#""runs":1,"noise":"keep""#,r#""runs":2,"noise":"drop""#,r#""runs":2,"noise":"keep""#,r#""features":"characters","runs":4"#,r#""features":"characters","runs":5"#,r#""features":"characters","runs":3"#,r#""features":"characters","runs":2"#];
let mut out=std::io::BufWriter::new(std::fs::File::create(&a[2]).unwrap()); let mut f=Fingerprinter::default();
let mut w=|v:Vec<(u64,f32,f32)>|{ out.write_all(&(v.len() as u32).to_le_bytes()).unwrap(); for (h,c,i) in v { out.write_all(&h.to_le_bytes()).unwrap(); out.write_all(&c.to_le_bytes()).unwrap(); out.write_all(&i.to_le_bytes()).unwrap(); } };
for l in s.lines(){ let v:serde_json::Value=serde_json::from_str(l).unwrap(); let t=v["text"].as_str().unwrap();
 for x in vars { let c=f.features(t,&Options::from_json(&format!("{{{x},\"weights\":\"count\"}}")).unwrap(),&mut ||()).unwrap(); let i=f.features(t,&Options::from_json(&format!("{{{x},\"weights\":\"tfidf\"}}")).unwrap(),&mut ||()).unwrap();
  w(c.iter().zip(&i).map(|(c,i)|(c.hash,c.weight as f32,(i.weight/c.weight) as f32)).collect()); }
 let mut n=String::new(); normalise(t,&mut n); let n=n.split_whitespace().collect::<Vec<_>>().join(" "); let ch:Vec<(usize,char)>=n.char_indices().collect();
 for r in [3usize,4,5] { let mut m:HashMap<u64,f32>=HashMap::new(); for i in 0..ch.len().saturating_sub(r-1){ let e=ch.get(i+r).map_or(n.len(),|x|x.0); *m.entry(feature_hash(n[ch[i].0..e].as_bytes(),0)).or_default()+=1.0; } if m.is_empty()&&!n.is_empty(){m.insert(feature_hash(n.as_bytes(),0),1.0);} w(m.into_iter().map(|(h,c)|(h,c,1.0)).collect()); }
} }
