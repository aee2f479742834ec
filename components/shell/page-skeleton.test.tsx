import { cleanup, render, screen } from '@testing-library/react'
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterEach, expect, test } from 'vitest'
import { pages } from '@/lib/pages'
import { listPath, listResources, recordPath, recordResources } from '@/lib/routes'
import { PageBoundary, PageSkeleton } from './page-skeleton'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
afterEach(cleanup)

const renderSkeleton = (path: string) =>
  render(
    <PathnameContext value={path.split('?')[0] ?? ''}>
      <PageSkeleton />
    </PathnameContext>,
  )

test.each(listResources)('the skeleton of the list of %s has its title', (resource) => {
  const path = listPath('sandbox', resource)
  renderSkeleton(path)
  const page = pages.find((each) => path.startsWith(`/sandbox${each.path}`))
  expect(screen.getByText(page?.name ?? '')).toBeTruthy()
  expect(screen.getByRole('status').textContent).toBe('Loading the list…')
})

const resourceNouns = {
  payouts: 'payout',
  charges: 'charge',
  paykeys: 'paykey',
  customers: 'customer',
  accounts: 'account',
}
const otherResourceNouns = {
  organizations: 'organization',
  representatives: 'representative',
  linked_bank_accounts: 'linked bank account',
  funding_events: 'funding event',
}

test.each(recordResources)('the skeleton of a record of %s announces its kind', (resource) => {
  renderSkeleton(recordPath('sandbox', resource, id))
  expect(screen.getByRole('status').textContent).toBe(
    `Loading the ${{ ...resourceNouns, ...otherResourceNouns }[resource]}…`,
  )
})

test.each([
  ['/sandbox/payouts/new', 'form'],
  ['/sandbox/funding-events/simulate', 'form'],
  [`/sandbox/accounts/${id}/edit`, 'form'],
  [`/sandbox/accounts/${id}/limits`, 'limits'],
  [`/sandbox/customers/${id}/delete`, 'customer'],
  [`/sandbox/deletions/${id}`, 'request'],
  [`/sandbox/approvals/${id}`, 'approval'],
  [`/sandbox/webhooks/${id}`, 'webhook'],
  [`/sandbox/people/${id}`, 'person'],
  ['/sandbox/audit/12', 'entry'],
  ['/sandbox/profile/notifications', 'page'],
])('the skeleton of %s announces what is loading', (path, noun) => {
  renderSkeleton(path)
  expect(screen.getByRole('status').textContent).toBe(`Loading the ${noun}…`)
})

test('a page stays mounted while its path is the same, and remounts for another path', () => {
  const createPage = (path: string) => (
    <PathnameContext value={path}>
      <PageBoundary>
        <input aria-label="page" />
      </PageBoundary>
    </PathnameContext>
  )
  const { rerender } = render(createPage('/sandbox/payouts'))
  const inputBeforeRerender = screen.getByLabelText('page')
  rerender(createPage('/sandbox/payouts'))
  expect(screen.getByLabelText('page')).toBe(inputBeforeRerender)
  rerender(createPage('/sandbox/charges'))
  expect(screen.getByLabelText('page')).not.toBe(inputBeforeRerender)
})
