import { layOut } from './mail-layout';

const look = { language: 'en', color: '#2f6fed' } as const;

describe('layOut', () => {
  it('splits paragraphs at empty lines, keeps line breaks and highlights a code on its own line', () => {
    const html = layOut('Subject', 'One\nTwo\n\n\n{code}\n\nYour {code} here\n', look);
    expect(html.match(/<p\b/g)).toHaveLength(4);
    expect(html).toContain('>One<br>Two</p>');
    expect(html).toMatch(/<p class="code" [^>]*>\{code\}<\/p>/);
    expect(html).toContain('>Your {code} here</p>');
  });

  it('escapes the text and keeps its placeholders', () => {
    const html = layOut('<A> & {app}', '<script>"{username}"</script>', look);
    expect(html).toContain('<title>&lt;A&gt; &amp; {app}</title>');
    expect(html).toContain('&lt;script&gt;&quot;{username}&quot;&lt;/script&gt;');
    expect(html).not.toContain('<script');
  });

  it('makes a link on its own line clickable', () => {
    const html = layOut('Subject', 'Accept here:\n\n{link}\n\nOr see {link} there', look);
    expect(html.match(/<a\b/g)).toHaveLength(1);
    expect(html).toMatch(/<a href="\{link\}" [^>]*>\{link\}<\/a>/);
  });

  it('shows a logo, in whose address no placeholder is filled', () => {
    const html = layOut('Subject', 'Text', { ...look, logo: 'https://cdn.example/{code}.png?a="&b={link}' });
    expect(html).toContain('<img src="https://cdn.example/%7Bcode%7D.png?a=&quot;&amp;b=%7Blink%7D" alt=""');
    expect(html.match(/\{\w+\}/g)).toEqual(['{app}']);
  });

  it('sets the language and color and loads nothing', () => {
    const html = layOut('Subject', 'Text', { language: 'zh', color: '#123456' });
    expect(html).toContain('<html lang="zh">');
    expect(html).toContain('border-top:4px solid #123456');
    expect(html).not.toMatch(/https?:|url\(|src=/);
  });
});
