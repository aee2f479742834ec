import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

type ComposeService = {
  environment?: Record<string, string>
  env_file?: string
  image?: string
  read_only?: boolean
  cap_drop?: string[]
  ports?: string[]
  networks?: string[]
  volumes?: string[]
  stop_grace_period?: string
}
const composeConfig = parse(readFileSync('compose.yaml', 'utf8')) as {
  services: Record<'desk' | 'migrate' | 'proxy' | 'store', ComposeService>
  networks: Record<string, { internal?: boolean }>
}
const { desk, migrate, proxy, store } = composeConfig.services
const dockerfile = readFileSync('Dockerfile', 'utf8')
const buildStages = dockerfile.split(/^FROM /m).slice(1)
const nginxConfigText = readFileSync('deploy/nginx.conf', 'utf8')

test('the image runs as an unprivileged user and contains only built files', () => {
  const [, final = ''] = buildStages
  expect(buildStages).toHaveLength(2)
  expect(final.indexOf('\nUSER node\n')).toBeGreaterThan(final.lastIndexOf('\nRUN '))
  expect(final).not.toMatch(/^COPY \. /m)
  const copiedPaths = [...final.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(
    ([, from = '']) => from.split(' '),
  )
  expect(copiedPaths.map((path) => path.replace('/paydesk/', '')).sort()).toEqual(
    [
      '.next',
      'build',
      'drizzle',
      'next.config.mjs',
      'node_modules',
      'package.json',
      'public',
    ].sort(),
  )
  for (const sourcePath of ['drizzle', 'next.config.mjs', 'package.json', 'public'])
    expect(existsSync(sourcePath)).toBe(true)
})

test('no secret is copied into an image', () => {
  const ignoredPatterns = readFileSync('.dockerignore', 'utf8').split('\n')
  for (const path of ['.env*', 'data', '.git', 'deploy', 'node_modules', '.next'])
    expect(ignoredPatterns).toContain(path)
  expect(dockerfile).not.toMatch(/SECRET=|PASSWORD=|_KEY=/)
  expect(readFileSync('.gitignore', 'utf8').split('\n')).toEqual(
    expect.arrayContaining(['deploy/tls/', 'deploy/*.env']),
  )
})

test('every image has a version tag', () => {
  const imageNames = [
    ...buildStages.map((stage) => stage.split(/\s/)[0] ?? ''),
    proxy.image ?? '',
    store.image ?? '',
  ]
  expect(imageNames).toHaveLength(4)
  for (const image of imageNames) expect(image).toMatch(/^[a-z/-]+:\d/)
})

test('the role that owns the store is not a superuser, and the superuser has no password', () => {
  const rolesScript = readFileSync('deploy/store-roles.sh', 'utf8')
  expect(store.environment).not.toHaveProperty('POSTGRES_USER')
  expect(migrate.environment?.DATABASE_MIGRATION_URL).toContain('//paydesk_owner:')
  expect(rolesScript).toContain("create role paydesk_owner login password :'owner_password';")
  expect(rolesScript).toContain('alter role :"superuser" password null;')
})

test('public services have read-only files, and the store is not reachable from outside', () => {
  for (const service of [desk, migrate, proxy])
    expect([service.read_only, service.cap_drop]).toEqual([true, ['ALL']])
  expect([desk.ports, store.ports, proxy.ports]).toEqual([
    undefined,
    undefined,
    ['80:8080', '443:8443'],
  ])
  expect([store.networks, composeConfig.networks.inside?.internal]).toEqual([['inside'], true])
  expect(proxy.networks).not.toContain('inside')
  for (const url of [desk.environment?.DATABASE_URL, migrate.environment?.DATABASE_MIGRATION_URL])
    expect(url).toMatch(/\?sslmode=verify-full&sslrootcert=\/tls\/store\.crt$/)
  expect(desk.environment?.TRUSTED_PROXIES).toBe('1')
  expect(Number.parseInt(desk.stop_grace_period ?? '', 10)).toBeGreaterThan(40)
  for (const secret of [
    store.environment?.STORE_PASSWORD,
    desk.environment?.DATABASE_URL,
    migrate.environment?.DATABASE_URL,
  ])
    expect(secret).toContain('${STORE_PASSWORD:?')
})

test('the dashboard does not receive the credentials of the store’s owner', () => {
  for (const secret of [
    store.environment?.POSTGRES_PASSWORD,
    migrate.environment?.DATABASE_MIGRATION_URL,
  ])
    expect(secret).toContain('${STORE_OWNER_PASSWORD:?')
  expect(JSON.stringify(desk)).not.toContain('OWNER')
  expect(new URL(desk.environment?.DATABASE_URL?.replace(/\$\{[^}]*\}/g, 'x') ?? '').username).toBe(
    'paydesk',
  )
})

test('the proxy never retries, sets the client address itself, and drops headers that no page uses', () => {
  const configLines = nginxConfigText.split('\n').map((line) => line.trim())
  const expectedHeaders = [
    'X-Forwarded-For $remote_addr',
    ...['Host', 'Proto', 'Port'].map((name) => `X-Forwarded-${name} ""`),
    'Forwarded ""',
    'Next-Action ""',
  ]
  expect(configLines).toEqual(
    expect.arrayContaining([
      'proxy_next_upstream off;',
      ...expectedHeaders.map((header) => `proxy_set_header ${header};`),
    ]),
  )
  // In nginx, a proxy_set_header in a location disables those of the server block, so a location
  // must contain none.
  expect(nginxConfigText.slice(nginxConfigText.indexOf('location'))).not.toContain(
    'proxy_set_header',
  )
  const methodPattern = new RegExp(/!~ (\^\S+\$)\)/.exec(nginxConfigText)?.[1] ?? '')
  expect(
    ['GET', 'POST', 'TRACE', 'CONNECT', 'PROPFIND'].filter((method) => methodPattern.test(method)),
  ).toEqual(['GET', 'POST'])
  expect(nginxConfigText).not.toMatch(/\$(?:request_uri|args|query_string|request)\b.*'/)
  expect((nginxConfigText.match(/\{/g) ?? []).length).toBe(
    (nginxConfigText.match(/\}/g) ?? []).length,
  )
})
