// The linter's rules: typescript-eslint's strict, type-checked set, and the house's own.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      'generated/',
      'test/**/generated/',
      'src/codegen/init/templates/',
      'test/adoption/{observed,part,moved,five}/',
    ],
  },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      // An arrow that hands on a call reads the same whether the call answers something or not.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Name what a file exports; no default exports.' },
      ],
    },
  },
  {
    // A service still serves what its contract deprecates: that is a word to its callers.
    files: ['src/core/operations/**', 'src/core/resolvers/**'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    // Mocha requires it.
    files: ['.ci/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { module: 'writable', process: 'readonly', require: 'readonly' },
    },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    // Tools load these by their default export.
    files: ['*.js', '.*.js', 'codegen.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Node runs these as they are.
    files: ['.ci/*.js', 'src/*/*.js', 'src/*/bin/*.js', 'test/bench/peers/servers/**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: { Buffer: 'readonly', URL: 'readonly', console: 'readonly', process: 'readonly' },
    },
  },
  {
    // Browsers run these as they are, after the scripts of packages.
    files: ['src/service/pages/files/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      sourceType: 'script',
      globals: Object.fromEntries(
        [
          ...['URL', 'URLSearchParams', 'atob', 'document', 'fetch', 'history', 'location', 'navigator'],
          ...['GraphiQL', 'React', 'ReactDOM', 'Scalar', 'graphqlWs'],
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    // chai's properties, such as `.to.be.true`, are expressions that do something.
    files: ['test/**'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
  {
    // A module of Nest is an empty class, its options are a class that takes an object, and a decorator gets a bare method.
    files: ['test/recipes/nest.ts'],
    rules: {
      '@typescript-eslint/no-extraneous-class': ['error', { allowEmpty: true }],
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
