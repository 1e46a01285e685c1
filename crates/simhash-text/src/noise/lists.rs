//! Built-in noise-word lists, one per language, each sorted in byte order.

/// English function words in lower case, as Unicode word segmentation returns them.
pub(super) const ENGLISH: &[&str] = &[
    "a", "about", "after", "against", "all", "also", "although", "am", "among", "an", "and", "another",
    "any", "are", "around", "as", "at", "be", "because", "been", "before", "being", "between", "both", "but",
    "by", "can", "could", "did", "do", "does", "doing", "down", "during", "each", "either", "every", "for",
    "from", "had", "has", "have", "having", "he", "he'd", "he'll", "he's", "her", "here", "hers", "herself",
    "him", "himself", "his", "how", "i", "i'd", "i'll", "i'm", "i've", "if", "in", "into", "is", "it",
    "it's", "its", "itself", "just", "let's", "may", "me", "might", "mine", "must", "my", "myself", "of",
    "off", "on", "only", "or", "other", "our", "ours", "out", "over", "shall", "she", "she'd", "she'll",
    "she's", "should", "since", "so", "some", "such", "than", "that", "that's", "the", "their", "theirs",
    "them", "then", "there", "there's", "these", "they", "they'd", "they'll", "they're", "they've", "this",
    "those", "though", "through", "to", "too", "under", "unless", "until", "up", "upon", "us", "very", "was",
    "we", "we'd", "we'll", "we're", "we've", "were", "what", "what's", "when", "where", "whereas", "whether",
    "which", "while", "who", "who's", "whom", "whose", "why", "will", "with", "within", "would", "yet",
    "you", "you'd", "you'll", "you're", "you've", "your", "yours", "yourself",
];

/// Chinese function words, simplified and traditional, as jieba segments them.
pub(super) const CHINESE: &[&str] = &[
    "与", "且", "並", "並且", "为", "为了", "之", "也", "了", "于", "于是", "亦", "什么", "什麼", "仅", "仍",
    "仍然", "从", "他", "他们", "他們", "以", "以及", "们", "会", "似的", "但", "但是", "你", "你们", "你們",
    "使", "便", "們", "僅", "儘管", "关于", "其", "其中", "其他", "其它", "再", "则", "到", "則", "即使",
    "却", "卻", "又", "及", "另", "另外", "只", "只要", "可", "可以", "可是", "各", "同", "向", "吗", "吧",
    "呀", "呢", "和", "哪", "哪个", "哪個", "啊", "啦", "嗎", "嘛", "因", "因为", "因此", "因為", "在", "地",
    "太", "她", "她们", "她們", "如果", "如此", "妳", "它", "它们", "它們", "对", "对于", "将", "將", "對",
    "對於", "就", "就是", "尽管", "已", "已經", "已经", "并", "并且", "应该", "当", "很", "得", "從", "怎么",
    "怎麼", "您", "應該", "我", "我们", "我們", "或", "或者", "所", "所以", "才", "把", "按", "按照", "於",
    "於是", "既", "既然", "是", "更", "曾", "曾經", "曾经", "最", "會", "有", "某", "根据", "根據", "正在",
    "此", "每", "比", "為", "為了", "然后", "然後", "然而", "甚至", "由", "由于", "由於", "當", "的", "的話",
    "的话", "着", "等", "給", "给", "而", "而且", "而已", "能", "能够", "能夠", "自", "自己", "與", "若",
    "著", "虽然", "被", "要", "該", "誰", "讓", "让", "该", "谁", "跟", "較", "较", "过", "还", "还是", "这",
    "这个", "这么", "这些", "这样", "这种", "这里", "连", "這", "這些", "這個", "這樣", "這種", "這裡",
    "這麼", "連", "過", "還", "還是", "那", "那个", "那么", "那些", "那個", "那样", "那樣", "那种", "那種",
    "那裡", "那里", "那麼", "都", "關於", "除了", "随着", "隨著", "雖然",
];
