import { listPath } from '@/lib/routes'
import { fillReason, makeCustomer, openCustomer } from './customer'
import { getDecisionRegion, goTo } from './desk'
import { expect, test } from './fixtures'

test('a reviewer opens a waiting customer by keyboard, reads the evidence and verifies it with one decision', async ({
  signIn,
  sandbox,
  deskUrl,
}) => {
  const customer = await makeCustomer(await signIn('operator'), deskUrl, { outcome: 'review' })
  const page = await signIn('reviewer')
  await goTo(
    page,
    listPath('sandbox', 'customers', { account: customer.account, search_text: customer.name }),
  )
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const customerArticle = page.getByRole('article', { name: 'Customer' })
  await expect(customerArticle.getByRole('heading', { name: customer.name })).toBeVisible()
  await expect(
    customerArticle.getByText(/In review: .* \((?:needs review|failed)\)\./),
  ).toBeVisible()
  await expect(
    customerArticle.getByRole('list', { name: 'Identity fields' }).getByRole('listitem'),
  ).toHaveCount(10)

  await page.keyboard.press('v')
  const decisionArea = getDecisionRegion(page)
  await expect(decisionArea).toContainText(`Mark as verified: ${customer.name} for`)
  await decisionArea.getByRole('button', { name: `Mark ${customer.name} as verified` }).click()
  await expect(decisionArea.getByText('Choose a reason')).toBeVisible()
  await decisionArea
    .getByLabel('Reason', { exact: true })
    .selectOption({ label: 'Documents verified' })
  await decisionArea.getByRole('button', { name: `Mark ${customer.name} as verified` }).click()
  await expect(decisionArea.getByRole('alert')).toContainText('Check each box to continue')
  expect((await sandbox.journal(customer.id)).map(({ operation }) => operation)).toEqual([
    'customers.create',
  ])

  await fillReason(decisionArea, 'Documents verified')
  await decisionArea.getByLabel('Note', { exact: true }).press('Control+Enter')
  await expect(decisionArea.getByRole('status')).toBeVisible()
  await expect(customerArticle.getByText('Verified', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: customer.name })).toHaveCount(0)
  expect((await sandbox.journal(customer.id)).map(({ operation }) => operation)).toEqual([
    'customers.create',
    'customers.decide',
  ])
  await expect(page.getByRole('list', { name: 'Timeline, newest first' })).toContainText(
    'Verify or reject a customer: done',
  )
})

test('a rejection ends the review and disables its buttons with the reason', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const customer = await makeCustomer(await signIn('operator'), deskUrl, { outcome: 'review' })
  const page = await signIn('reviewer')
  await openCustomer(page, customer)
  const reviewDecisionArea = getDecisionRegion(page)
  await reviewDecisionArea.getByRole('button', { name: 'Reject…' }).click()
  await fillReason(reviewDecisionArea, 'Identity does not match')
  await reviewDecisionArea.getByRole('button', { name: `Reject ${customer.name}` }).click()
  await expect(
    reviewDecisionArea.getByRole('button', { name: /^Mark as verified…/ }),
  ).toBeDisabled()
  await expect(
    reviewDecisionArea.getByRole('button', { name: /^Mark as verified…/ }),
  ).toHaveAccessibleDescription(
    'The customer is rejected: only one that is in review can be manually verified.',
  )
  expect(
    (await sandbox.journal(customer.id)).filter(
      ({ operation }) => operation === 'customers.decide',
    ),
  ).toHaveLength(1)
})

test('the two decision forms keep separate entries', { tag: '@full' }, async ({
  signIn,
  deskUrl,
}) => {
  const customer = await makeCustomer(await signIn('operator'), deskUrl, { outcome: 'review' })
  const page = await signIn('reviewer')
  await openCustomer(page, customer)
  const decisionRegion = getDecisionRegion(page)
  await decisionRegion.getByRole('button', { name: /^Mark as verified…/ }).click()
  await decisionRegion
    .getByLabel('Note', { exact: true })
    .fill('Looked at the passport twice, it fits.')
  await decisionRegion.getByRole('button', { name: 'Back' }).click()
  await decisionRegion.getByRole('button', { name: 'Reject…' }).click()
  await expect(decisionRegion.getByLabel('Note', { exact: true })).toHaveValue('')
  await decisionRegion.getByRole('button', { name: 'Back' }).click()
  await decisionRegion.getByRole('button', { name: /^Mark as verified…/ }).click()
  await expect(decisionRegion.getByLabel('Note', { exact: true })).toHaveValue(
    'Looked at the passport twice, it fits.',
  )
})

test('a new verification runs in the background, and the page shows its result', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const customer = await makeCustomer(await signIn('operator'), deskUrl, { outcome: 'review' })
  const page = await signIn('reviewer')
  await openCustomer(page, customer)
  const decision = getDecisionRegion(page)
  await decision.getByRole('button', { name: 'Re-verify…' }).click()
  await decision.getByRole('button', { name: 'Re-verify', exact: true }).click()
  await expect(decision.getByText(/The re-verification is (running|complete)/)).toBeVisible()
  await expect(decision.getByText('The re-verification is complete')).toBeVisible({
    timeout: 45_000,
  })
})

test('a person who may not decide sees the disabled buttons with the reason', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const operatorPage = await signIn('operator')
  const customer = await makeCustomer(operatorPage, deskUrl, { outcome: 'review' })
  await openCustomer(operatorPage, customer)
  const verifyButton = getDecisionRegion(operatorPage).getByRole('button', {
    name: /^Mark as verified…/,
  })
  await expect(verifyButton).toHaveAccessibleDescription(
    'Only a reviewer or an admin can verify or reject a customer.',
  )
  const viewerPage = await signIn('viewer')
  await openCustomer(viewerPage, customer)
  const revealButton = viewerPage.getByRole('button', { name: 'Reveal… contact and identity data' })
  await expect(revealButton).toHaveAccessibleDescription(
    /^Only an operator, a reviewer or an admin can reveal/,
  )
})
