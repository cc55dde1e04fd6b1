/** Starts a server of `node:http` on a free port, and prints its URL. */

export function listen(server) {
  const listening = server.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${listening.address().port}`);
  });
}
