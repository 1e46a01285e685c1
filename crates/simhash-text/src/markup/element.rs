//! The elements of HTML that affect the text of a page.

use html5gum::State;

macro_rules! elements {
    ($($element:ident $name:literal $kind:expr;)+) => {
        /// An element by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Element { $($element),+ }

        impl Element {
            /// The number of elements.
            pub const COUNT: usize = [$(Element::$element),+].len();

            /// The element of this name, which is in lower case; `None` for elements that neither separate words nor contain
            /// elements that do.
            pub fn named(name: &[u8]) -> Option<Element> {
                match name {
                    $($name => Some(Element::$element),)+
                    _ => None,
                }
            }

            /// What it does to the text.
            pub fn kind(self) -> Kind {
                match self { $(Element::$element => $kind),+ }
            }
        }
    };
}

/// What an element does to the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Separates words.
    Separator,
    /// A block that contains others.
    Block,
    /// A block that is not the content of the page.
    LeftOut,
    /// A block that keeps its line breaks.
    Preformatted,
    /// An item of a list: `li`, `dd` or `dt`. The next item ends it.
    Item,
    /// A heading. The end tag of any heading ends it.
    Heading,
    /// A table. It consists of parts, rows and cells.
    Table,
    /// `tbody`, `thead`, `tfoot` and `caption`.
    TablePart,
    /// `tr`.
    Row,
    /// `td` and `th`.
    Cell,
    /// An element that end tags of blocks outside do not end.
    Fence,
    /// `svg` and `math`: the markup inside has its own rules.
    Foreign,
    /// HTML inside `svg` or `math`.
    ForeignHtml,
    /// Text inside `svg` or `math`.
    ForeignText,
    /// Contains characters and no elements, up to its end tag. It is left out if it is not the content of the page.
    Raw(State, Raw),
}

/// What happens to the characters of a raw element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raw {
    Content,
    LeftOut,
}

use Kind::*;

elements! {
    P b"p" Separator;
    Div b"div" Block;
    Li b"li" Item;
    Br b"br" Separator;
    Tr b"tr" Row;
    Td b"td" Cell;
    Th b"th" Cell;
    Ul b"ul" Block;
    Ol b"ol" Block;
    H1 b"h1" Heading;
    H2 b"h2" Heading;
    H3 b"h3" Heading;
    H4 b"h4" Heading;
    H5 b"h5" Heading;
    H6 b"h6" Heading;
    Script b"script" Raw(State::ScriptData, Raw::LeftOut);
    Style b"style" Raw(State::RawText, Raw::LeftOut);
    Section b"section" Block;
    Article b"article" Block;
    Option b"option" Separator;
    Dd b"dd" Item;
    Dt b"dt" Item;
    Dl b"dl" Block;
    Table b"table" Table;
    Tbody b"tbody" TablePart;
    Thead b"thead" TablePart;
    Tfoot b"tfoot" TablePart;
    Caption b"caption" TablePart;
    Colgroup b"colgroup" Separator;
    Nav b"nav" LeftOut;
    Aside b"aside" LeftOut;
    Footer b"footer" LeftOut;
    Template b"template" LeftOut;
    Main b"main" Block;
    Header b"header" Block;
    Hr b"hr" Separator;
    Pre b"pre" Preformatted;
    Listing b"listing" Preformatted;
    Svg b"svg" Foreign;
    Math b"math" Foreign;
    ForeignObject b"foreignobject" ForeignHtml;
    Text b"text" ForeignText;
    Title b"title" Raw(State::RcData, Raw::LeftOut);
    Noscript b"noscript" Raw(State::RawText, Raw::LeftOut);
    Iframe b"iframe" Raw(State::RawText, Raw::LeftOut);
    Noembed b"noembed" Raw(State::RawText, Raw::LeftOut);
    Noframes b"noframes" Raw(State::RawText, Raw::LeftOut);
    Textarea b"textarea" Raw(State::RcData, Raw::Content);
    Xmp b"xmp" Raw(State::RawText, Raw::Content);
    Plaintext b"plaintext" Raw(State::PlainText, Raw::Content);
    Address b"address" Block;
    Blockquote b"blockquote" Block;
    Button b"button" Block;
    Center b"center" Block;
    Details b"details" Block;
    Dialog b"dialog" Block;
    Dir b"dir" Block;
    Fieldset b"fieldset" Block;
    Figcaption b"figcaption" Block;
    Figure b"figure" Block;
    Hgroup b"hgroup" Block;
    Menu b"menu" Block;
    Search b"search" Block;
    Summary b"summary" Block;
    Object b"object" Fence;
    Applet b"applet" Fence;
    Marquee b"marquee" Fence;
    Html b"html" Separator;
    Head b"head" Separator;
    Body b"body" Separator;
    Form b"form" Separator;
    Legend b"legend" Separator;
    Optgroup b"optgroup" Separator;
    Select b"select" Separator;
    Frameset b"frameset" Separator;
}
