/** The contracts of a library: a document and a schema of the same books and authors. */

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const answer = (schema?: object): object => ({ description: 'Done', ...(schema && json(schema)) });
const missing = { 404: answer(ref('Error')) };
const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];

function collection(type: string, name: string): object {
  return {
    [`/${name}`]: {
      get: { operationId: `list${name}`, responses: { 200: answer({ type: 'array', items: ref(type) }) } },
      post: {
        operationId: `create${type}`,
        requestBody: { required: true, ...json(ref(`New${type}`)) },
        responses: { 201: answer(ref(type)) },
      },
    },
    [`/${name}/{id}`]: {
      parameters,
      get: { operationId: `get${type}`, responses: { 200: answer(ref(type)), ...missing } },
      delete: { operationId: `delete${type}`, responses: { 204: answer(), ...missing } },
    },
  };
}

const book = {
  title: { type: 'string', minLength: 1 },
  status: { enum: ['draft', 'published'] },
  pages: { type: 'integer', minimum: 1 },
  authorId: { type: 'string' },
};
const author = { name: { type: 'string', minLength: 1 }, email: { type: 'string', format: 'email' } };
const id = { type: 'string' };

export const LIBRARY = {
  openapi: '3.1.0',
  info: { title: 'Library', version: '1' },
  paths: { ...collection('Author', 'authors'), ...collection('Book', 'books') },
  components: {
    schemas: {
      Error: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
      Author: { type: 'object', required: ['id', 'name'], properties: { id, ...author } },
      NewAuthor: { type: 'object', required: ['name'], properties: author },
      Book: { type: 'object', required: ['id', 'title', 'status'], properties: { id, ...book } },
      NewBook: { type: 'object', required: ['title', 'status'], properties: book },
    },
  },
};

export const LIBRARY_SCHEMA = `type Query {
  author(id: ID!): Author
  authors(limit: Int, offset: Int): [Author!]!
  book(id: ID!): Book
  bookByTitle(title: String!): Book
  books(first: Int, after: String, authorId: ID): Books!
  search(text: String!): [Book!]!
  weather: String!
}
type Mutation {
  createBook(input: CreateBook!): BookPayload!
  updateBook(id: ID!, input: UpdateBook!): BookPayload!
  deleteBook(bookId: ID!): Deleted!
}
type Subscription { bookAdded(authorId: ID): Book! }
type Author { id: ID!, name: String!, books(first: Int): [Book!]! }
type Book { id: ID!, title: String!, status: Status!, pages: Int, author: Author }
enum Status { DRAFT PUBLISHED }
type Books { edges: [Edge!]!, pageInfo: PageInfo!, totalCount: Int! }
type Edge { node: Book!, cursor: String! }
type PageInfo { hasNextPage: Boolean!, endCursor: String }
input CreateBook { title: String!, status: Status, pages: Int, authorId: ID, clientMutationId: String }
input UpdateBook { title: String, pages: Int }
type BookPayload { book: Book, errors: [String!]!, clientMutationId: String }
type Deleted { deletedId: ID!, ok: Boolean! }
`;
