const { username } = await (await fetch('/whoami')).json();
document.getElementById('who').textContent = username;
