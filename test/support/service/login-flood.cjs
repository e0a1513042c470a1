// Runs in a separate process, so that sending requests does not slow the measuring process down. Logs in as `count`
// unknown users at once, each from another address, and reports [status, retry-after] of every response.
const [url, count] = process.argv.slice(2);

async function logIn(_, index) {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.1.${index >> 8}.${index & 255}` },
    body: JSON.stringify({ type: 'password', username: `nobody_${index}`, password: 'correct horse battery staple' }),
  });
  await answer.text();
  return [answer.status, Number(answer.headers.get('retry-after'))];
}

Promise.all(Array.from({ length: Number(count) }, logIn)).then((answers) => process.send(answers));
