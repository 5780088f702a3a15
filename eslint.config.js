import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '.cache/**',
      '**/node_modules/**',
      'coverage/**',
      'docs/api/**',
      '**/*.generated.ts',
      'test/types/consumer/**',
    ],
  },
  ...tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      eqeqeq: 'error',
      'no-cond-assign': 'error',
      'no-constant-binary-expression': 'error',
      'no-control-regex': 'error',
      'no-empty': 'error',
      'no-loss-of-precision': 'error',
      'no-misleading-character-class': 'error',
      'no-self-compare': 'error',
      'no-sparse-arrays': 'error',
      'no-unsafe-finally': 'error',
      'no-useless-escape': 'error',
      'prefer-const': 'error',
    },
  },
  {
    // Rules that need types. Each folder with a tsconfig.json is a program of its own.
    files: ['**/*.{ts,tsx}'],
    ignores: ['*.config.ts', '**/*.config.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
    },
  },
  // A class that takes the place of an object of closures must not lose its `this` where a method is handed on.
  { files: ['servers/*/src/**/*.ts'], rules: { '@typescript-eslint/unbound-method': 'error' } },
  { files: ['*.config.{js,ts}', '**/*.config.{js,ts}'], rules: { 'no-restricted-exports': 'off' } },
  { files: ['**/test/**'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
);
