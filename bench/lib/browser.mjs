/** Applies the `Set-Cookie` lines of a response to the cookie jar. */
export function keepCookies(jar, lines) {
  for (const line of lines) {
    const [pair] = line.split(';', 1);
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '' || /;\s*max-age=0(?:;|$)/i.test(line)) jar.delete(name);
    else jar.set(name, value);
  }
}

export const cookieHeader = (jar) => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

/** Sends the request. Throws unless the response is 2xx. */
export async function send(target, { method = 'GET', path, body, headers = {}, jar }) {
  const answer = await fetch(target.url + path, {
    method,
    headers: {
      ...target.headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(jar?.size && { cookie: cookieHeader(jar) }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${target.name} ${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  if (jar) keepCookies(jar, answer.headers.getSetCookie());
  return text;
}

/** Runs `work` for each item, at most `atOnce` at a time. */
export async function forEach(items, work, atOnce = 8) {
  const waiting = [...items];
  const results = [];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, worker));
  return results;
}
