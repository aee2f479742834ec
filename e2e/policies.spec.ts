import { policiesPath, signInPath } from '@/lib/routes'
import { makeAccountWithCustomer } from './customer'
import { decideThroughApi, goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible, expectAccessibleAt } from './look'
import { waitForHydration } from './wait-for-hydration'

const policiesPagePath = policiesPath('sandbox')

test('two admins change a policy after a preview, and the new policy applies', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl, page: otherAdminPage }) => {
  const adminPage = await signIn('admin')
  const newAccount = await makeAccountWithCustomer(adminPage, deskUrl)
  const operatorPage = await signIn('operator')
  const decideNewPayout = async (verb: 'hold' | 'release') => {
    const payout = await sandbox.makePayout({
      account_id: newAccount.id,
      customer_id: newAccount.customer.id,
    })
    return (await decideThroughApi(operatorPage, deskUrl, payout, verb)).status()
  }
  expect(await decideNewPayout('release')).toBe(200)

  await goTo(adminPage, policiesPagePath)
  await expect(adminPage.getByRole('list', { name: 'Active rules' })).toContainText(
    'Release a payout if the amount is $5,000.00 or more, or it brings',
  )
  await adminPage.getByRole('button', { name: 'Change the policy' }).click()
  await adminPage.getByRole('button', { name: 'Add a rule' }).click()
  const ruleGroup = adminPage.getByRole('group', { name: 'Rule 8', exact: true })
  await ruleGroup.getByLabel('To', { exact: true }).selectOption({ label: 'release a payout' })
  await ruleGroup.getByRole('button', { name: 'Add a condition' }).click()
  await ruleGroup.getByLabel('Amount', { exact: true }).fill('some')
  await ruleGroup.getByLabel('Account').selectOption({ label: newAccount.name })
  await adminPage.getByRole('button', { name: 'Preview' }).click()
  await expect(ruleGroup.getByText('Must be an amount like 1,250.00')).toBeVisible()
  await ruleGroup.getByLabel('Amount', { exact: true }).fill('10.00')
  await adminPage.getByRole('button', { name: 'Preview' }).click()
  await expect(
    adminPage.getByText(/ in the last 90 days in this environment would have needed approval\./),
  ).toBeVisible()
  await adminPage.getByRole('button', { name: 'Propose this policy' }).click()
  await expect(
    adminPage.getByText('Enter a reason.').or(adminPage.getByText(/Explain in at least 10/)),
  ).toBeVisible()
  await expectAccessibleAt(adminPage, 'narrow')
  await adminPage
    .getByLabel('Why it is changed')
    .fill('This account is new: every release is looked at.')
  await adminPage.getByRole('button', { name: 'Propose this policy' }).click()
  await expect(adminPage.getByText('Awaiting another admin')).toBeVisible()
  await expect(adminPage.getByRole('button', { name: 'Activate' })).toHaveAccessibleDescription(
    /^You proposed this/,
  )
  expect(await decideNewPayout('release')).toBe(200)

  await otherAdminPage.goto(signInPath(policiesPagePath))
  await otherAdminPage.getByRole('button', { name: /^admin .*admin2@/ }).click()
  const proposedRules = otherAdminPage.getByRole('list', { name: 'Rules of the proposed policy' })
  await expect(
    proposedRules.getByRole('listitem').filter({ hasText: newAccount.name }),
  ).toContainText('Added')
  await waitForHydration(otherAdminPage)
  await expectAccessible(otherAdminPage)
  await otherAdminPage.getByRole('button', { name: 'Activate' }).click()
  await expect(otherAdminPage.getByRole('list', { name: 'Active rules' })).toContainText(
    newAccount.name,
  )
  expect(await decideNewPayout('release')).toBe(202)
})

test('a reviewer can read but not change the policy, and an operator sees who can', {
  tag: '@full',
}, async ({ signIn }) => {
  const reviewerPage = await signIn('reviewer')
  await goTo(reviewerPage, policiesPagePath)
  await expect(
    reviewerPage.getByRole('button', { name: 'Change the policy' }),
  ).toHaveAccessibleDescription(/^Only an admin can/)
  const secondOperatorPage = await signIn('operator')
  await goTo(secondOperatorPage, policiesPagePath)
  await expect(
    secondOperatorPage.getByRole('heading', {
      name: 'You don’t have access to the approval policy',
    }),
  ).toBeVisible()
})
