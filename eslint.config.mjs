import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** What may be imported, called or named only in its home; the home is switched free below. */
const restricted = {
  typeorm: {
    name: 'typeorm',
    message: 'TypeORM belongs in *.entity.ts, *.repository.ts, platform/database and migrations.',
  },
  crypto: [
    { name: 'node:crypto', message: 'Cryptography belongs in platform/crypto.' },
    { name: 'crypto', message: 'Cryptography belongs in platform/crypto.' },
    { name: 'jose', message: 'JWKS and ID tokens belong in platform/crypto.' },
  ],
  i18n: {
    name: 'nestjs-i18n',
    message:
      'I18nService belongs in platform/i18n, elsewhere it could be the one of a host: texts are asked of Translator.',
  },
  jwt: {
    name: '@nestjs/jwt',
    message:
      'JwtService belongs in session/tokens/token.service.ts: elsewhere it could be the one of a host, with its secret.',
  },
};
const bannedNest = {
  name: '@nestjs/core',
  importNames: ['APP_GUARD', 'APP_FILTER', 'APP_PIPE', 'APP_INTERCEPTOR'],
  message: 'Global enhancers would seize the routes of a host application; bind through @ApiController.',
};
const bannedCircles = {
  name: '@nestjs/common',
  importNames: ['forwardRef'],
  message: 'No circles: a module imports only what is to its left.',
};
const bannedCommon = {
  ...bannedCircles,
  importNames: [...bannedCircles.importNames, 'Global'],
  message: 'No circles, nothing global but the modules of the composition root: a module states what it needs.',
};
const SQL = '/^\\s*(SELECT |INSERT INTO |DELETE FROM |UPDATE \\w+ SET |WITH \\w+ AS )/';
const sqlMessage = 'SQL belongs in *.entity.ts, *.repository.ts, platform/database and migrations.';
/** Statements, and the calls that run them: without a TypeORM import, `restricted.typeorm` does not notice them. */
const restrictedSql = [
  `Literal[value=${SQL}]`,
  `TemplateElement[value.cooked=${SQL}]`,
  "CallExpression[callee.property.name=/^(rows|affected|write)$/][callee.object.property.name='transactions']",
  "CallExpression[callee.property.name='query'] > MemberExpression[object.property.name='manager']",
  "CallExpression[callee.property.name='query'] > MemberExpression[object.name='manager']",
].map((selector) => ({ selector, message: sqlMessage }));
/** A class with more has more than one job. */
const MAX_COLLABORATORS = 8;
/** What nearly every class needs does not count. */
const EVERYWHERE = new Set(['Transactions', 'AuditService', 'Log', 'SettingsReader']);
const collaborators = {
  meta: {
    schema: [],
    messages: {
      tooMany: 'A class has at most eight collaborators, beside transactions, audit, log and settings: split it.',
    },
  },
  create: (context) => ({
    'MethodDefinition[kind="constructor"]'({ value }) {
      const typeOf = (parameter) => (parameter.parameter ?? parameter).typeAnnotation?.typeAnnotation.typeName?.name;
      const counted = value.params.filter((parameter) => !EVERYWHERE.has(typeOf(parameter)));
      if (counted.length > MAX_COLLABORATORS) context.report({ node: value, messageId: 'tooMany' });
    },
  }),
};
const importRule = (...paths) => ['error', { paths: paths.flat() }];
const all = [restricted.typeorm, restricted.crypto, restricted.jwt, restricted.i18n, bannedNest, bannedCommon];

export default tseslint.config(
  { ignores: ['**/dist', 'coverage', 'node_modules', '.data', '**/.tmp', 'packages/client/src/schema.ts'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    // Rules that need types are in .oxlintrc.json: oxlint checks them in a tenth of the time.
    extends: [...tseslint.configs.strict],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'no-restricted-imports': importRule(...all),
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read in platform/config only.' },
        { object: 'Math', property: 'random', message: 'Use platform/crypto: randomness here is security.' },
      ],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 10],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      curly: ['error', 'multi-line'],
    },
  },
  {
    files: ['src/platform/crypto/**/*.ts'],
    rules: {
      'no-restricted-imports': importRule(
        restricted.typeorm,
        restricted.jwt,
        restricted.i18n,
        bannedNest,
        bannedCommon,
      ),
    },
  },
  {
    // It names APP_INTERCEPTOR to leave it out.
    files: ['src/platform/i18n/**/*.ts'],
    rules: {
      'no-restricted-imports': importRule(restricted.typeorm, restricted.crypto, restricted.jwt, bannedCommon),
    },
  },
  {
    files: ['src/session/tokens/token.service.ts', 'src/session/tokens/session-jwt.ts'],
    rules: {
      'no-restricted-imports': importRule(
        restricted.typeorm,
        restricted.crypto,
        restricted.i18n,
        bannedNest,
        bannedCommon,
      ),
    },
  },
  {
    files: [
      '**/*.entity.ts',
      '**/*.entities.ts',
      '**/*.repository.ts',
      'src/platform/database/**/*.ts',
      'migrations/**/*.ts',
    ],
    rules: {
      'no-restricted-imports': importRule(restricted.crypto, restricted.jwt, restricted.i18n, bannedNest, bannedCommon),
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { castellan: { rules: { collaborators } } },
    rules: { 'castellan/collaborators': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: [
      '**/*.entity.ts',
      '**/*.entities.ts',
      '**/*.repository.ts',
      '**/*.spec.ts',
      'src/platform/database/**/*.ts',
      'src/testing/**/*.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...restrictedSql] },
  },
  {
    files: ['src/identity/access.module.ts', 'src/operations/lifecycle/lifecycle.module.ts'],
    rules: { 'no-restricted-imports': importRule(restricted.typeorm, restricted.crypto, bannedNest, bannedCircles) },
  },
  { files: ['src/platform/config/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    // Applications of others, with rules of their own.
    files: ['examples/**/*.ts'],
    rules: { 'no-restricted-imports': 'off', 'no-restricted-properties': 'off' },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      'no-restricted-imports': 'off',
      'no-restricted-properties': 'off',
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['web/src/**/*.tsx', 'packages/react/src/**/*.tsx'],
    // A component is markup for the most part, one line an attribute.
    rules: {
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 15],
    },
  },
  { files: ['migrations/**/*.ts'], rules: { 'max-lines-per-function': 'off' } },
  {
    files: ['**/*.{mjs,cjs,js}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        clearTimeout: 'readonly',
        setTimeout: 'readonly',
        fetch: 'readonly',
        module: 'writable',
        require: 'readonly',
        WebAssembly: 'readonly',
        __dirname: 'readonly',
      },
    },
  },
  {
    files: ['examples/*spa/app.js', 'examples/nginx/www/**/*.js'],
    languageOptions: {
      globals: {
        document: 'readonly',
        FormData: 'readonly',
        history: 'readonly',
        location: 'readonly',
        sessionStorage: 'readonly',
      },
    },
  },
  {
    files: ['examples/gateways/*.mjs'],
    languageOptions: { globals: { AbortSignal: 'readonly', Buffer: 'readonly', URLSearchParams: 'readonly' } },
  },
  {
    files: ['test/clients/*.mjs'],
    languageOptions: {
      globals: {
        btoa: 'readonly',
        Buffer: 'readonly',
        Headers: 'readonly',
        // Of the page that a test runs in a browser.
        manager: 'readonly',
        Response: 'readonly',
        setTimeout: 'readonly',
        URLSearchParams: 'readonly',
        window: 'readonly',
      },
    },
  },
  {
    files: ['bench/**/*.mjs'],
    languageOptions: {
      globals: {
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        clearTimeout: 'readonly',
        Headers: 'readonly',
        performance: 'readonly',
        Request: 'readonly',
      },
    },
  },
);
