import { expect, test } from 'vitest'
import { schemasByOperation } from '@/lib/operations/registry'
import { createGrantDraft, toGrantInput } from './grant-draft'

const draft = { ...createGrantDraft('sandbox'), until: '2026-12-31' }

test.each([
  ['America/New_York', '2027-01-01T04:59:59.999Z'],
  ['Asia/Tokyo', '2026-12-31T14:59:59.999Z'],
])('a grant ends with its last day in the zone of the page (%s)', (zone, expires_at) =>
  expect(toGrantInput(draft, zone)).toMatchObject({ account: null, expires_at }),
)

test('without a day it has no end', () =>
  expect(toGrantInput({ ...draft, until: '' }, 'UTC').expires_at).toBe(null))

test('a day that does not exist is refused, not read as "no end"', () => {
  const parseGrant = (until: string) =>
    schemasByOperation['people.grant'].input.safeParse({
      id: '019a0000-0000-7000-8000-000000000001',
      ...toGrantInput({ ...draft, until }, 'UTC'),
    })
  expect(parseGrant('2999-02-28').success).toBe(true)
  expect(parseGrant('2999-02-30').error?.issues[0]?.path).toEqual(['expires_at'])
})
