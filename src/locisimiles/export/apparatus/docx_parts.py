"""The parts of a Word document that are the same in every apparatus: types, links, styles."""

from __future__ import annotations

from locisimiles.results.characters import for_html

__all__ = ["FIXED", "WORD_NAMESPACE", "core"]

WORD_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"

_TYPES = f"""{_HEAD}<Types xmlns="{_PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="{_WORD_TYPE}.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="{_WORD_TYPE}.styles+xml"/>
<Override PartName="/word/settings.xml" ContentType="{_WORD_TYPE}.settings+xml"/>
<Override PartName="/word/footnotes.xml" ContentType="{_WORD_TYPE}.footnotes+xml"/>
<Override PartName="/docProps/core.xml"
 ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>
</Types>"""

_LINKS = f"""{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/>
<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties"
 Target="docProps/core.xml"/>
</Relationships>"""

_WORD_LINKS = f"""{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_OFFICE}/styles" Target="styles.xml"/>
<Relationship Id="rId2" Type="{_OFFICE}/settings" Target="settings.xml"/>
<Relationship Id="rId3" Type="{_OFFICE}/footnotes" Target="footnotes.xml"/>
</Relationships>"""

_SETTINGS = f"""{_HEAD}<w:settings xmlns:w="{WORD_NAMESPACE}">
<w:footnotePr><w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr>
<w:compat><w:compatSetting w:name="compatibilityMode"
 w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>
</w:settings>"""


def _paragraph_style(name: str, shown: str, paragraph: str = "", run: str = "") -> str:
    default, based = "", '<w:basedOn w:val="Normal"/>'
    if name == "Normal":
        default, based = ' w:default="1"', ""
    return (
        f'<w:style w:type="paragraph" w:styleId="{name}"{default}><w:name w:val="{shown}"/>{based}'
        f"<w:qFormat/><w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
    )


def _character_style(name: str, shown: str, run: str) -> str:
    return (
        f'<w:style w:type="character" w:styleId="{name}"><w:name w:val="{shown}"/>'
        f"<w:rPr>{run}</w:rPr></w:style>"
    )


_FONT = '<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:cs="Times New Roman"/>'
_STYLES = "".join(
    (
        f'{_HEAD}<w:styles xmlns:w="{WORD_NAMESPACE}"><w:docDefaults><w:rPrDefault><w:rPr>{_FONT}',
        '<w:sz w:val="23"/><w:szCs w:val="23"/><w:lang w:val="la-VA"/></w:rPr></w:rPrDefault>',
        "</w:docDefaults>",
        _paragraph_style("Normal", "Normal", '<w:spacing w:after="120" w:line="300"/>'),
        _paragraph_style("Title", "Title", '<w:spacing w:after="240"/>', '<w:sz w:val="32"/>'),
        _paragraph_style(
            "Heading1",
            "heading 1",
            '<w:keepNext/><w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="0"/>',
            '<w:b/><w:sz w:val="24"/>',
        ),
        _paragraph_style(
            "Apparatus",
            "Apparatus",
            '<w:keepLines/><w:spacing w:after="40" w:line="240"/>'
            '<w:ind w:left="284" w:hanging="284"/>',
            '<w:sz w:val="20"/>',
        ),
        _paragraph_style(
            "FootnoteText",
            "footnote text",
            '<w:spacing w:after="0" w:line="240"/>',
            '<w:sz w:val="19"/>',
        ),
        _character_style(
            "FootnoteReference", "footnote reference", '<w:vertAlign w:val="superscript"/>'
        ),
        _character_style("Locus", "Locus", '<w:color w:val="595959"/><w:sz w:val="17"/>'),
        "</w:styles>",
    )
)

FIXED = {
    "[Content_Types].xml": _TYPES,
    "_rels/.rels": _LINKS,
    "word/_rels/document.xml.rels": _WORD_LINKS,
    "word/settings.xml": _SETTINGS,
    "word/styles.xml": _STYLES,
}
"""The parts by their names."""


def core(title: str, language: str) -> str:
    """Return the properties of a document."""
    return (
        f'{_HEAD}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{for_html(title)}</dc:title><dc:creator>locisimiles</dc:creator>"
        f"<dc:language>{for_html(language)}</dc:language></cp:coreProperties>"
    )
