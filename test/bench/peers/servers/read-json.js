/** Reads the body of a request as JSON, for the servers that come without a parser. */

/** Listens to the stream itself: its iterator costs more. */
export function readJson(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('error', reject);
    request.on('end', () => {
      try {
        resolve(JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    });
  });
}
