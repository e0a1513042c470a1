import { appCustomCss } from './branding.settings';
import { checkCustomCss } from '../platform/page-checks';

const IMAGE = 'data:image/svg+xml;base64,PHN2Zy8+';

describe('checkCustomCss', () => {
  it.each([
    '',
    'main { border-radius: 0; box-shadow: 0 2px 8px rgb(0 0 0 / 20%); }',
    '@media (prefers-color-scheme: dark) and (width < 600px) { h1 { color: var(--accent) } }',
    '@keyframes appear { from { opacity: 0 } } main { animation: appear .2s cubic-bezier(0, 0, .2, 1) }',
    '.frame { background: linear-gradient(120deg, #fff, color-mix(in srgb, var(--accent), white 80%)) }',
    `header::before { content: '你好'; background: url("${IMAGE}") }`,
    `header { background: URL( ${IMAGE} ) }`,
    'button:not(:disabled):is(:hover, :focus-visible) { transform: translateY(-1px) }',
  ])('accepts %s', (css) => {
    expect(checkCustomCss(css)).toBeUndefined();
  });

  it.each([
    ['css_at_rule', '@import "https://evil.example/a.css";'],
    ['css_at_rule', '@IMPORT url(https://evil.example/a.css);'],
    ['css_at_rule', '@font-face { font-family: a; src: url(https://evil.example/a.woff2) }'],
    ['css_at_rule', '/* @import "a" */'],
    ['css_at_rule', '@ { }'],
    ['css_at_rule', '@mediaé { }'],
    ['css_escape', '@\\69mport "https://evil.example/a.css";'],
    ['css_escape', 'main { background: \\75rl(https://evil.example/) }'],
    ['css_url', 'input[value^="a"] { background: url(https://evil.example/a) }'],
    ['css_url', 'main { background: url("//evil.example/a") }'],
    ['css_url', 'main { background: url(/api/oauth/authorize?client_id=own) }'],
    ['css_url', `main { background: url("${IMAGE}"), url(https://evil.example/a) }`],
    ['css_url', `main { background: url("${IMAGE}' ) url(https://evil.example/a)") }`],
    ['css_url', 'main { background: url(data:text/html,x) }'],
    ['css_url', 'main { background: url( "data:image/png;base64,A\nB") }'],
    ['css_url', 'main { background: url(var(--a)) }'],
    ['css_function', 'main { background: image-set("https://evil.example/a" 1x) }'],
    ['css_function', 'main { background: -webkit-image-set("https://evil.example/a" 1x) }'],
    ['css_function', 'main { background: src("https://evil.example/a") }'],
    ['css_function', 'main { background: image("https://evil.example/a") }'],
    ['css_function', 'main { background: cross-fade("https://evil.example/a", red) }'],
    ['css_function', 'main { background: element(#a) }'],
    ['css_function', 'main::before { content: attr(data-a) }'],
    ['css_function', 'main { width: expression(alert(1)) }'],
    ['css_function', 'main { width: \u0107alc(1px) }'],
  ])('rejects with %s: %s', (code, css) => {
    expect(checkCustomCss(css)).toBe(code);
  });

  it('limits the length', () => {
    expect(appCustomCss.kind.parse(' '.repeat(10_001))).toEqual({ violation: 'max_length' });
  });
});
