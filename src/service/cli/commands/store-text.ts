/** The paragraph about the store in the help of every command that works on it. */
export const storeText = `
DATABASE_URL names the store, as for the service: sqlite:<path> or postgres://…
(default: sqlite:./data/service.db).`;
