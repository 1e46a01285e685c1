use super::*;
use proptest::prelude::*;

const SIZE: usize = 512;

fn header(level: u8) -> Header {
    Header { level, rotation: 2, high: Key::from(3, 77), right: Some(9) }
}

fn entry() -> impl Strategy<Value = Entry> {
    (any::<u64>(), any::<u32>(), any::<u16>())
        .prop_map(|(bits, block, offset)| Entry { bits, tid: Tid::new(block, offset) })
}

#[test]
fn a_page_of_the_server_holds_581_entries_or_407_downlinks() {
    assert_eq!((capacity(8192, 0), capacity(8192, 1)), (581, 407));
}

#[test]
fn what_is_no_page_is_refused() {
    assert!(Page::open(&[0; SIZE], 7).is_err());
    assert!(Page::open(&[], 7).is_err());
    assert!(Page::is_new(&[0; SIZE]));
    let good = Image::leaf(SIZE, header(0), &[]);
    for (at, byte) in
        [(CONTENT - 1, 0), (LOWER_AT, 0), (LOWER_AT + 1, 255), (UPPER_AT, 3), (SERVER_HEADER + 15, 1)]
    {
        let mut bytes = Image::leaf(SIZE, header(0), &[Entry { bits: 1, tid: Tid::MIN }]).as_bytes().to_vec();
        bytes[at] = byte;
        assert!(Page::open(&bytes, 7).is_err(), "{at}");
    }
    assert!(Page::open(good.as_bytes(), 7).is_ok());
}

proptest! {
    #[test]
    fn a_leaf_keeps_its_entries(
        entries in prop::collection::vec(entry(), 0..=capacity(SIZE, 0)), new in entry(), seed: u64
    ) {
        let image = Image::leaf(SIZE, header(0), &entries);
        let page = Page::open(image.as_bytes(), 1).unwrap();
        prop_assert_eq!(page.header(), header(0));
        prop_assert_eq!(page.entries().collect::<Vec<_>>(), entries.clone());
        prop_assert_eq!(page.has_room(), entries.len() < capacity(SIZE, 0));
        if page.has_room() {
            let mut bytes = image.as_bytes().to_vec();
            page.append(new).apply(&mut bytes);
            let mut more = entries.clone();
            more.push(new);
            prop_assert_eq!(Page::open(&bytes, 1).unwrap().entries().collect::<Vec<_>>(), more);
        }
        let gone: Vec<usize> = (0..entries.len()).filter(|at| seed >> (at % 64) & 1 == 1).collect();
        let mut bytes = image.as_bytes().to_vec();
        page.remove(&gone).apply(&mut bytes);
        let left: Vec<Entry> = Page::open(&bytes, 1).unwrap().entries().collect();
        let expected: Vec<Entry> =
            (0..entries.len()).filter(|at| !gone.contains(at)).map(|at| entries[at]).collect();
        prop_assert_eq!(left, expected);
    }

    #[test]
    fn sorted_entries_are_in_order_whatever_is_taken_out(
        mut entries in prop::collection::vec(entry(), 0..=capacity(SIZE, 0)), sorted: usize, seed: u64, ends: [u64; 2], low: u64
    ) {
        let sorted = sorted % (entries.len() + 1);
        entries[..sorted].sort();
        let mut bytes = Image::leaf(SIZE, header(0), &entries).as_bytes().to_vec();
        let gone: Vec<usize> = (0..entries.len()).filter(|at| seed >> (at % 64) & 7 == 1).collect();
        for step in 0..2 {
            let page = Page::open(&bytes, 1).unwrap();
            let in_order = &page.entries().map(|entry| entry.bits).collect::<Vec<_>>()[..page.sorted()];
            prop_assert!(in_order.is_sorted());
            prop_assert!(step > 0 || page.sorted() + SORTED_STEP > sorted);
            let within = ends[0].min(ends[1])..=ends[0].max(ends[1]);
            let around = page.sorted_around(low, within.clone());
            prop_assert!(around.start <= around.end && around.end <= in_order.len());
            prop_assert!((0..in_order.len()).all(|at| around.contains(&at) || !within.contains(&in_order[at])));
            if step == 0 {
                page.remove(&gone).apply(&mut bytes);
            }
        }
    }

    #[test]
    fn an_inner_page_keeps_its_downlinks_sorted(
        all in prop::collection::btree_map((0..=4u8, entry()), any::<u32>(), 1..=capacity(SIZE, 1)), pick: usize
    ) {
        let all: Vec<Downlink> = all
            .into_iter()
            .map(|((rotation, entry), child)| Downlink { low: Key::new(rotation, entry), child })
            .collect();
        let mut fewer = all.clone();
        let new = fewer.remove(pick % all.len());
        let image = Image::inner(SIZE, header(3), &fewer);
        let page = Page::open(image.as_bytes(), 1).unwrap();
        prop_assert_eq!(page.downlinks().collect::<Vec<_>>(), fewer);
        let mut bytes = image.as_bytes().to_vec();
        page.insert_downlink(new).apply(&mut bytes);
        prop_assert_eq!(&bytes, &Image::inner(SIZE, header(3), &all).as_bytes().to_vec());
        let page = Page::open(&bytes, 1).unwrap();
        prop_assert_eq!(page.lows_to(new.low), all.iter().filter(|d| d.low <= new.low).count());
    }
}
