import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { defaultPreferences } from '@/lib/client/preferences'
import type { Role } from '@/lib/operations/define'
import type { Desk } from '@/lib/operations/desk'
import { settingEntries, startEntries } from './palette-actions'

const account = 'acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const at = (roles: Role[], environment: Desk['environment'] = 'sandbox') =>
  startEntries({ environment, account, person: { id: 'p', name: 'Omar', email: 'omar@paydesk.test', roles } })

test.each(at(['admin']).map(({ title, path }) => [title, path ?? '']))('%s leads to a page that is there, in the same scope', (_, path) => {
  const { pathname, searchParams } = new URL(path, 'http://desk')
  expect(existsSync(join('app/[environment]/(desk)', pathname.replace('/sandbox', ''), 'page.tsx'))).toBe(true)
  expect(searchParams.get('account')).toBe(account)
})

test('what one may not do is closed with its reason; without known roles nothing is', () => {
  expect(at(['viewer']).every(({ closed }) => /^Only .* can /.test(closed ?? ''))).toBe(true)
  expect(at(['admin']).every(({ closed }) => closed === null)).toBe(true)
  expect(at([]).every(({ closed }) => closed === null)).toBe(true)
})

test('what is for the sandbox is offered there alone', () => {
  expect(at(['admin']).some(({ title }) => title === 'Simulate funding')).toBe(true)
  expect(at(['admin'], 'production').some(({ title }) => title === 'Simulate funding')).toBe(false)
})

test('a setting leads away from what holds, and changes that one thing', () => {
  const change = vi.fn()
  const entries = settingEntries({ ...defaultPreferences, theme: 'dark', zoneChoice: 'utc' }, change)
  expect(entries.map(({ value }) => value)).toEqual(['theme system', 'theme light', 'zone mine', 'zone bank'])
  for (const entry of entries) entry.run?.()
  expect(change.mock.calls).toEqual([[{ theme: 'system' }], [{ theme: 'light' }], [{ zoneChoice: 'mine' }], [{ zoneChoice: 'bank' }]])
})
