import { importing, type Planted } from './planted'

/** Each refused import beside an allowed one of the same zone. */
function zone(path: string, refused: readonly string[], allowed: readonly string[]): Planted[] {
  const rows = Math.max(refused.length, allowed.length)
  return Array.from({ length: rows }, (_, row) => {
    const bad = refused[row % refused.length] ?? ''
    const good = allowed[row % allowed.length] ?? ''
    return { path, title: `not '${bad}', but '${good}'`, rule: 'style/noRestrictedImports', bad: importing(bad), good: importing(good) }
  })
}

const contract = [
  '@/lib/operations/payouts',
  '@/lib/domain/payout-rules',
  '@/lib/errors',
  '@/lib/money',
  '@/lib/dates',
  '@/lib/routes',
  '@/lib/pages',
  '@/lib/filter',
]
const forBrowsers = ['@/components/ui/button', '@/components/kits/form/part', '@/lib/client/call', ...contract, './part', 'zod']
const nobody = ['../up', '../../up', '..', './a/../../up', '@/app/layout', '@/sandbox/main', 'next-auth', 'next-auth/react']

/** Each zone of the import rules, with what it refuses and what it may import. */
export const zones: Planted[] = [
  ...zone(
    'components/ui/button.tsx',
    [...nobody, '@/components/form/part', '@/components/payouts/part', '@/lib/client/call', ...contract],
    ['@/components/ui/card', './card', 'class-variance-authority'],
  ),
  ...zone('components/kits/form/field.tsx', [...nobody, '@/components/payouts/part', '@/lib/server/env'], forBrowsers),
  ...zone(
    'components/payouts/payout-list.tsx',
    [...nobody, '@/components/charges/charge-list', '@/lib/server/env', './nested/part'],
    forBrowsers,
  ),
  ...zone('lib/money.ts', ['./errors', '@/lib/errors', 'zod', '@/lib/operations/payouts', '../x'], ['']).map(standsAlone),
  ...zone(
    'lib/operations/payouts.ts',
    [...nobody, '@/lib/client/call', '@/lib/server/env', '@/lib/domain/payout-rules', 'react', '@/components/ui/button'],
    ['zod', './define', '@/lib/operations/define', '@/lib/errors', '@/lib/money'],
  ),
  ...zone(
    'lib/domain/payout-rules.ts',
    [...nobody, '@/lib/client/call', '@/lib/server/env', 'react', 'undici'],
    ['./why-held', ...contract],
  ),
  ...zone(
    'lib/client/call.ts',
    [...nobody, '@/lib/server/env', '@/components/ui/button'],
    ['./queries', '@/lib/client/queries', 'react', ...contract],
  ),
  ...zone(
    'lib/server/serve.ts',
    [...nobody, '@/lib/client/call', '@/components/ui/button', 'undici', 'node:http', 'node:https'],
    ['./env', '@/lib/server/env', 'pg', 'node:crypto', ...contract],
  ),
  ...zone('lib/server/http/serve.ts', [...nobody, '@/lib/client/call', 'undici', 'node:https'], ['node:http', 'next', '@/lib/server/env']),
  ...zone('lib/server/service/client.ts', [...nobody, '@/lib/client/call'], ['undici', './env']),
  ...zone('lib/server/session.ts', ['undici', '@/lib/client/call', '../up'], ['next-auth', 'next-auth/jwt', './env']),
  ...zone(
    'app/[environment]/(desk)/payouts/part.tsx',
    [...nobody, 'undici', '@/scripts/start'],
    ['@/components/payouts/payout-list', '@/lib/server/session', '@/lib/client/call', './part'],
  ),
  ...zone(
    'app/api/health/route.ts',
    [...nobody, '@/components/ui/button', '@/lib/client/call', 'undici'],
    ['@/lib/server/serve', '@/lib/errors'],
  ),
  ...zone('app/api/auth/[...nextauth]/route.ts', ['undici', '@/lib/client/call', '../up'], ['next-auth', '@/lib/server/session']),
  ...zone('proxy.ts', [...nobody, '@/components/ui/button', '@/lib/client/call'], ['@/lib/server/session', '@/lib/routes', 'next/server']),
  ...zone(
    'sandbox/main.ts',
    ['@/lib/errors', '@/lib/operations/payouts', '@/components/ui/button', 'next/server', 'server-only', '../lib/errors'],
    ['hono', './server', '@/sandbox/server'],
  ),
  ...zone('scripts/cli/audit-verify.ts', [...nobody, '@/components/ui/button', '@/lib/client/call'], ['@/lib/server/audit', './part']),
  ...zone(
    'tests/release.test.ts',
    [...nobody, '@/components/ui/button'],
    ['@/sandbox/testing/start', '@/lib/operations/payouts', 'undici'],
  ),
  ...zone(
    'e2e/release.spec.ts',
    [...nobody, '@/lib/server/env', '@/lib/client/call', '@/components/ui/button'],
    ['./fixtures', '@/lib/money', '@playwright/test'],
  ),
]

/** A pure file has no import to show, so its twin has none. */
function standsAlone(row: Planted): Planted {
  return { ...row, title: row.title.replace(/, but .*/, ''), good: 'export const kept = 1\n' }
}
