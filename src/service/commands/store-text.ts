/** The paragraph about the store in the help of every command that works on it. */
export const storeText = `
The store is the one that DATABASE_URL names, as for the service: sqlite:<path> or postgres://…
(sqlite:./data/service.db unless given).`;
