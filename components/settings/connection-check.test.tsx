import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { ServiceReport } from '@/lib/operations/service-check'
import { ConnectionCheckReport } from './connection-check'

afterEach(cleanup)

const buildReport = (overrides: Partial<ServiceReport>): ServiceReport => ({
  environment: 'sandbox',
  started_at: '2026-03-10T15:00:00Z',
  took_ms: 1234,
  calls: 3,
  stopped: null,
  groups: [],
  ...overrides,
})

test('a stopped check shows the reason and the unchecked operations', () => {
  const findings = [
    { label: 'organizations.list', verdict: 'cannot_tell' as const, text: 'not checked' },
  ]
  render(
    <ConnectionCheckReport
      report={buildReport({
        stopped: 'rate-limited by the provider: try again in 30 seconds',
        groups: [{ title: 'Operations', findings }],
      })}
    />,
  )
  expect(
    screen.getByText(
      'Stopped early: rate-limited by the provider: try again in 30 seconds. The remaining checks did not run.',
    ),
  ).toBeTruthy()
  expect(screen.getByText(/^3 requests in 1.2 s, all of them reads\./)).toBeTruthy()
  const findingItem = within(screen.getByRole('region', { name: 'Operations' })).getByRole(
    'listitem',
  )
  expect(findingItem.textContent).toContain('List organizations')
  expect(findingItem.textContent).toContain('Unknown: not checked')
})

test('mismatches are counted first and show the setting that fixes them', () => {
  const findings = [
    {
      label: 'Account header',
      verdict: 'does_not_fit' as const,
      text: 'ignored',
      set: 'SERVICE_ACCOUNT_HEADER=Provider-Account-Id',
    },
    { label: 'Amounts', verdict: 'fits' as const, text: 'minor' },
  ]
  render(
    <ConnectionCheckReport report={buildReport({ groups: [{ title: 'Settings', findings }] })} />,
  )
  expect(screen.getByText('1 of 2 checks found a mismatch')).toBeTruthy()
  const [header] = screen.getAllByRole('listitem')
  expect(header?.textContent).toContain('Mismatch: ignored')
  expect(header?.querySelector('code')?.textContent).toBe(
    'SERVICE_ACCOUNT_HEADER=Provider-Account-Id',
  )
})
