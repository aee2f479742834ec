const libRootFilesPattern = '^lib/[^/]+\\.ts$'
const operationsPattern = '^lib/operations/'
const domainPattern = '^lib/domain/'
const nonServerFeaturePattern = '^lib/features/([^/]+)/(?!server/)'
const featureServerPattern = '^lib/features/([^/]+)/server/'
const sharedCodePatterns = [libRootFilesPattern, operationsPattern, domainPattern]
/**
 * Matches `lib/features/*.ts`: they register the server code of all features with `lib/server`,
 * which itself cannot import features.
 */
const registrationFilesPattern = '^lib/features/[^/]+\\.ts$'
const featurePatterns = [nonServerFeaturePattern, featureServerPattern]
const serverCodePattern = '^lib/server/'
/**
 * The folders of `lib/server`, the lowest layer first. A folder may import the folders before it,
 * but none after it.
 */
const orderedServerLayers = [
  ...['config', 'store', 'audit', 'mail', 'auth', 'mirror', 'live', 'service', 'notes', 'sync'],
  ...['actions', 'approvals', 'http', 'webhooks'],
]
const clientCodePattern = '^lib/client/'
const uiPattern = '^components/ui/'
const kitsPattern = '^components/kits/'
const screensPattern = '^components/(?!ui/|kits/)([^/]+)/'
/** Matches the sample operations and payments that unit tests import. */
const testSamplesPattern = '^tests/(?:operations|payments)/'
const testFilesPattern = '\\.test\\.tsx?$'
const projectFilesPattern =
  '^(?:app|components|lib|sandbox|scripts|tests|e2e|bench|chaos)/|^[^/]+\\.(?:ts|mjs)$'

const toPackagePattern = (...names) => `(?:^|node_modules/)(?:${names.join('|')})(?:/|$)`
const authLibraryPattern = toPackagePattern('next-auth', '@auth')

/** Forbids imports from `from` to `to`. `$1` in `to` is the first group that `from` matched. */
const createRule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
/** Of our own files, the files in `path` may import only those in `allowed`. */
const createProjectImportsRule = (name, comment, path, allowed, pathNot = []) =>
  createRule(name, comment, { path, pathNot }, { path: projectFilesPattern, pathNot: allowed })
/** The files in `path` may import only the packages in `allowed`. Tests may import any. */
const createPackageImportsRule = (name, comment, path, allowed) =>
  createRule(
    name,
    comment,
    { path, pathNot: testFilesPattern },
    { pathNot: [projectFilesPattern, ...allowed] },
  )

/**
 * Features that may import other features, which is forbidden for all others: `exports` exports the
 * lists of other features, and `home` counts their queues. The goal is an empty list.
 */
const crossFeatureImporterPatterns = ['^lib/features/exports/server/', '^lib/features/home/server/']

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    createRule(
      'no-circle',
      'Cut it: types in a file of their own, or one file.',
      {},
      { circular: true },
    ),
    createRule(
      'no-tests',
      'The product imports no code of tests.',
      { path: '^(?:app|components|lib|sandbox)/', pathNot: testFilesPattern },
      { path: '^(?:tests|e2e)/' },
    ),
    createRule('is-there', 'Nothing of that name is there.', {}, { couldNotResolve: true }),

    createProjectImportsRule(
      'ui',
      'components/ui imports components/ui only.',
      uiPattern,
      uiPattern,
    ),
    createProjectImportsRule(
      'kits',
      'Kits import ui, kits, lib/client and the contract.',
      kitsPattern,
      [uiPattern, kitsPattern, clientCodePattern, ...sharedCodePatterns],
    ),
    createProjectImportsRule(
      'screens',
      'Features import ui, kits, lib/client, the contract and themselves, never each other.',
      screensPattern,
      [
        ...[uiPattern, kitsPattern, clientCodePattern, ...sharedCodePatterns],
        ...['^components/$1/', '^lib/features/$1/(?!server/)'],
      ],
    ),
    createProjectImportsRule(
      'pure',
      'The pure files of lib/ import nothing but ./formats.',
      libRootFilesPattern,
      '^lib/formats\\.ts$',
      testFilesPattern,
    ),
    createPackageImportsRule(
      'pure-packages',
      'The pure files of lib/ import nothing but ./formats.',
      libRootFilesPattern,
      [],
    ),
    createProjectImportsRule(
      'pure-tests',
      'Tests of the pure files import them as ./name.',
      `^lib/[^/]+${testFilesPattern}`,
      '^lib/[^/]+$',
    ),
    createProjectImportsRule(
      'operations',
      'lib/operations imports itself, the pure files and zod.',
      operationsPattern,
      [operationsPattern, libRootFilesPattern],
      testFilesPattern,
    ),
    createPackageImportsRule(
      'operations-packages',
      'lib/operations imports itself, the pure files and zod.',
      operationsPattern,
      [toPackagePattern('zod')],
    ),
    createProjectImportsRule(
      'domain',
      'What features share knows none of them.',
      domainPattern,
      sharedCodePatterns,
      testFilesPattern,
    ),
    createProjectImportsRule(
      'contract-tests',
      'Tests of the contract import the contract.',
      `^lib/(?:operations|domain)/.*${testFilesPattern}`,
      [...sharedCodePatterns, nonServerFeaturePattern, testSamplesPattern],
    ),
    createProjectImportsRule(
      'rules',
      "A feature's rules import the contract, never another feature.",
      nonServerFeaturePattern,
      [...sharedCodePatterns, '^lib/features/$1/(?!server/)', testSamplesPattern],
    ),
    createPackageImportsRule(
      'rules-packages',
      'Rules import zod and what reads uploaded files.',
      '^lib/(?:domain|features/[^/]+/(?!server/))',
      [toPackagePattern('zod', 'fflate', 'cfb', '@cantoo/pdf-lib')],
    ),
    createProjectImportsRule(
      'registration',
      'Only the server parts of features register.',
      registrationFilesPattern,
      [serverCodePattern, featureServerPattern, ...sharedCodePatterns],
    ),
    createProjectImportsRule(
      'client',
      'lib/client imports itself and the contract.',
      clientCodePattern,
      [clientCodePattern, ...sharedCodePatterns],
      testFilesPattern,
    ),
    createProjectImportsRule(
      'platform',
      'lib/server knows no feature: they register with it.',
      serverCodePattern,
      [serverCodePattern, ...sharedCodePatterns],
      testFilesPattern,
    ),
    createProjectImportsRule(
      'platform-and-tests',
      'lib/server imports lib/server and the contract.',
      serverCodePattern,
      [serverCodePattern, ...sharedCodePatterns, ...featurePatterns, testSamplesPattern],
    ),
    ...orderedServerLayers
      .slice(0, -1)
      .map((name, at) =>
        createRule(
          'floors',
          'A room of lib/server imports the rooms below it, never one above.',
          { path: `^lib/server/${name}/`, pathNot: testFilesPattern },
          { path: `^lib/server/(?:${orderedServerLayers.slice(at + 1).join('|')})/` },
        ),
      ),
    createProjectImportsRule(
      'feature-server',
      'The server part of a feature imports its own rules, lib/server and the contract.',
      featureServerPattern,
      [serverCodePattern, ...sharedCodePatterns, '^lib/features/$1/'],
      crossFeatureImporterPatterns,
    ),
    createProjectImportsRule(
      'feature-server-side',
      'It never meets the browser.',
      featureServerPattern,
      [serverCodePattern, ...sharedCodePatterns, ...featurePatterns],
    ),
    createProjectImportsRule('pages', 'Pages import components, lib and their siblings.', '^app/', [
      '^app/',
      '^components/',
      '^lib/',
    ]),
    createRule(
      'pages-by-path',
      'Of app only the frames in app/_pages are shared.',
      {},
      { path: '^app/', pathNot: '^app/_pages/', dependencyTypes: ['aliased'] },
    ),
    createProjectImportsRule(
      'handlers',
      'Route handlers import lib/server and the contract.',
      '^app/api/|^(?:proxy|instrumentation)\\.ts$',
      [
        ...[serverCodePattern, ...sharedCodePatterns, ...featurePatterns, registrationFilesPattern],
        '^app/api/',
      ],
    ),
    createProjectImportsRule(
      'sandbox',
      'The sandbox is reached over HTTP and shares no code with the desk.',
      '^sandbox/',
      '^sandbox/',
      testFilesPattern,
    ),
    createProjectImportsRule(
      'sandbox-tests',
      'Tests of the sandbox know nothing of the desk.',
      '^sandbox/.+\\.test\\.ts$|^tests/sandbox/',
      '^(?:sandbox|tests/sandbox)/',
    ),
    createRule(
      'sandbox-packages',
      'The sandbox shares no code with the desk.',
      { path: '^sandbox/' },
      { path: toPackagePattern('next', 'react', 'react-dom', 'server-only') },
    ),
    createProjectImportsRule(
      'scripts',
      'Scripts import lib/server, the contract and their siblings.',
      '^scripts/',
      ['^scripts/', serverCodePattern, ...sharedCodePatterns, ...featurePatterns],
    ),
    createProjectImportsRule(
      'tests',
      'Tests meet the desk and the sandbox over HTTP.',
      '^(?:tests|bench|chaos)/',
      ['^(?:tests|bench|chaos|scripts|lib)/', '^[^/]+$'],
      '^tests/sandbox/',
    ),
    createProjectImportsRule(
      'e2e',
      'Browser tests import the contract, the harness and their siblings.',
      '^e2e/',
      ['^(?:e2e|tests|bench|scripts)/', '^[^/]+$', ...sharedCodePatterns, nonServerFeaturePattern],
    ),

    createRule(
      'auth-library',
      'Only the session, the identity provider and app/api/auth know next-auth.',
      { pathNot: '^lib/server/auth/(?:session|sso/provider)\\.ts$|^app/api/auth/' },
      { path: authLibraryPattern },
    ),
    createRule(
      'network',
      'Only lib/server/service talks to the payments service.',
      {
        path: '^(?:app|components|lib|proxy|instrumentation)\\b',
        pathNot: ['^lib/server/service/', testFilesPattern],
      },
      { path: [toPackagePattern('undici', 'https', 'http2')] },
    ),
    createRule(
      'listening',
      'Only lib/server/http/listen listens.',
      {
        path: '^(?:app|components|lib|proxy|instrumentation)\\b',
        pathNot: ['^lib/server/(?:service|http/listen)/', testFilesPattern],
      },
      { path: toPackagePattern('http') },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Contains other products, which benchmarks measure for comparison. Each has its own packages,
    // and our rules do not apply to them.
    exclude: { path: '^bench/rivals/' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Makes the rules apply to type-only imports too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
