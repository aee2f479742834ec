const pure = '^lib/[^/]+\\.ts$'
const operations = '^lib/operations/'
const domain = '^lib/domain/'
const featureRules = '^lib/features/([^/]+)/(?!server/)'
const featureServer = '^lib/features/([^/]+)/server/'
const contract = [pure, operations, domain]
/** The files in which features register with the platform. */
const registration = '^lib/features/[^/]+\\.ts$'
const features = [featureRules, featureServer]
const platform = '^lib/server/'
/** The folders of `lib/server`, the lowest layer first. A folder imports only folders of lower layers. */
const floors = ['config', 'store', 'audit', 'auth', 'mirror', 'live', 'service', 'sync', 'actions', 'http', 'webhooks']
const client = '^lib/client/'
const ui = '^components/ui/'
const kits = '^components/kits/'
const screens = '^components/(?!ui/|kits/)([^/]+)/'
/** Samples of operations and payments, for the unit tests. */
const samples = '^tests/(?:operations|payments)/'
const test = '\\.test\\.tsx?$'
const ours = '^(?:app|components|lib|sandbox|scripts|tests|e2e|bench|chaos)/|^[^/]+\\.(?:ts|mjs)$'

const named = (...names) => `(?:^|node_modules/)(?:${names.join('|')})(?:/|$)`
const authLibrary = named('next-auth', '@auth')

/** `$1` in `to` stands for the first group that `from` matched. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
/** Limits which of our own files the files of a folder may import. */
const room = (name, comment, path, allowed, pathNot = []) => rule(name, comment, { path, pathNot }, { path: ours, pathNot: allowed })
/** Limits which packages the files of a folder may import. Tests may import any package. */
const packages = (name, comment, path, allowed) => rule(name, comment, { path, pathNot: test }, { pathNot: [ours, ...allowed] })

/**
 * Features that may still import other features. The goal is an empty list. `exports` exports the lists of other features, and `home`
 * counts their queues.
 */
const crossing = ['^lib/features/exports/server/', '^lib/features/home/server/']

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    rule('no-circle', 'Cut it: types in a file of their own, or one file.', {}, { circular: true }),
    rule(
      'no-tests',
      'The product imports no code of tests.',
      { path: '^(?:app|components|lib|sandbox)/', pathNot: test },
      { path: '^(?:tests|e2e)/' },
    ),
    rule('is-there', 'Nothing of that name is there.', {}, { couldNotResolve: true }),

    room('ui', 'components/ui imports components/ui only.', ui, ui),
    room('kits', 'Kits import ui, kits, lib/client and the contract.', kits, [ui, kits, client, ...contract]),
    room('screens', 'Features import ui, kits, lib/client, the contract and themselves, never each other.', screens, [
      ...[ui, kits, client, ...contract],
      ...['^components/$1/', '^lib/features/$1/(?!server/)'],
    ]),
    room('pure', 'The pure files of lib/ import nothing but ./formats.', pure, '^lib/formats\\.ts$', test),
    packages('pure-packages', 'The pure files of lib/ import nothing but ./formats.', pure, []),
    room('pure-tests', 'Tests of the pure files import them as ./name.', `^lib/[^/]+${test}`, '^lib/[^/]+$'),
    room('operations', 'lib/operations imports itself, the pure files and zod.', operations, [operations, pure], test),
    packages('operations-packages', 'lib/operations imports itself, the pure files and zod.', operations, [named('zod')]),
    room('domain', 'What features share knows none of them.', domain, contract, test),
    room('contract-tests', 'Tests of the contract import the contract.', `^lib/(?:operations|domain)/.*${test}`, [
      ...contract,
      featureRules,
      samples,
    ]),
    room('rules', "A feature's rules import the contract, never another feature.", featureRules, [
      ...contract,
      '^lib/features/$1/(?!server/)',
      samples,
    ]),
    packages('rules-packages', 'Rules import zod and what reads uploaded files.', '^lib/(?:domain|features/[^/]+/(?!server/))', [
      named('zod', 'fflate', 'cfb', '@cantoo/pdf-lib'),
    ]),
    room('registration', 'Only the server parts of features register.', registration, [platform, featureServer, ...contract]),
    room('client', 'lib/client imports itself and the contract.', client, [client, ...contract], test),
    room('platform', 'lib/server knows no feature: they register with it.', platform, [platform, ...contract], test),
    room('platform-and-tests', 'lib/server imports lib/server and the contract.', platform, [platform, ...contract, ...features, samples]),
    ...floors
      .slice(0, -1)
      .map((name, at) =>
        rule(
          'floors',
          'A room of lib/server imports the rooms below it, never one above.',
          { path: `^lib/server/${name}/`, pathNot: test },
          { path: `^lib/server/(?:${floors.slice(at + 1).join('|')})/` },
        ),
      ),
    room(
      'feature-server',
      'The server part of a feature imports its own rules, lib/server and the contract.',
      featureServer,
      [platform, ...contract, '^lib/features/$1/'],
      crossing,
    ),
    room('feature-server-side', 'It never meets the browser.', featureServer, [platform, ...contract, ...features]),
    room('pages', 'Pages import components, lib and their siblings.', '^app/', ['^app/', '^components/', '^lib/']),
    rule(
      'pages-by-path',
      'Of app only the frames in app/_pages are shared.',
      {},
      { path: '^app/', pathNot: '^app/_pages/', dependencyTypes: ['aliased'] },
    ),
    room('handlers', 'Route handlers import lib/server and the contract.', '^app/api/|^(?:proxy|instrumentation)\\.ts$', [
      ...[platform, ...contract, ...features, registration],
      '^app/api/',
    ]),
    room('sandbox', 'The sandbox is reached over HTTP and shares no code with the desk.', '^sandbox/', '^sandbox/', test),
    room(
      'sandbox-tests',
      'Tests of the sandbox know nothing of the desk.',
      '^sandbox/.+\\.test\\.ts$|^tests/sandbox/',
      '^(?:sandbox|tests/sandbox)/',
    ),
    rule(
      'sandbox-packages',
      'The sandbox shares no code with the desk.',
      { path: '^sandbox/' },
      { path: named('next', 'react', 'react-dom', 'server-only') },
    ),
    room('scripts', 'Scripts import lib/server, the contract and their siblings.', '^scripts/', [
      '^scripts/',
      platform,
      ...contract,
      ...features,
    ]),
    room(
      'tests',
      'Tests meet the desk and the sandbox over HTTP.',
      '^(?:tests|bench|chaos)/',
      ['^(?:tests|bench|chaos|scripts|lib)/', '^[^/]+$'],
      '^tests/sandbox/',
    ),
    room('e2e', 'Browser tests import the contract, the harness and their siblings.', '^e2e/', [
      '^(?:e2e|tests|bench|scripts)/',
      '^[^/]+$',
      ...contract,
      featureRules,
    ]),

    rule(
      'auth-library',
      'Only the session, the identity provider and app/api/auth know next-auth.',
      { pathNot: '^lib/server/auth/(?:session|sso/provider)\\.ts$|^app/api/auth/' },
      { path: authLibrary },
    ),
    rule(
      'network',
      'Only lib/server/service talks to the payments service.',
      { path: '^(?:app|components|lib|proxy|instrumentation)\\b', pathNot: ['^lib/server/service/', test] },
      { path: [named('undici', 'https', 'http2')] },
    ),
    rule(
      'listening',
      'Only lib/server/http/listen listens.',
      { path: '^(?:app|components|lib|proxy|instrumentation)\\b', pathNot: ['^lib/server/(?:service|http/listen)/', test] },
      { path: named('http') },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Other products that the benchmarks measure for comparison. Each has its own packages.
    exclude: { path: '^bench/rivals/' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Type-only imports count as imports.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
}
