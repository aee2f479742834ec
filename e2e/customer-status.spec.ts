import { serviceApiPath } from '@/lib/routes'
import { makeCustomer, openCustomer } from './customer'
import { getDecisionRegion } from './desk'
import { expect, test } from './fixtures'
import { chooseReason, getReasonField } from './reason'

type Customer = { status: string }

test('a customer is switched off and on again', { tag: '@full' }, async ({ signIn, deskUrl }) => {
  const page = await signIn('operator')
  const customer = await makeCustomer(page, deskUrl)
  await openCustomer(page, customer)
  const decisionArea = getDecisionRegion(page)
  await decisionArea.getByRole('button', { name: 'Deactivate…' }).click()
  await decisionArea.getByRole('button', { name: `Deactivate ${customer.name}` }).click()
  await expect(getReasonField(decisionArea)).toHaveAccessibleDescription(
    'Choose a reason and add a note.',
  )
  await chooseReason(decisionArea, 'Customer left')
  await decisionArea.getByRole('button', { name: `Deactivate ${customer.name}` }).click()
  await decisionArea.getByRole('button', { name: 'Reactivate…' }).click()
  await chooseReason(decisionArea, 'Deactivated in error')
  await decisionArea.getByRole('button', { name: `Reactivate ${customer.name}` }).click()
  await expect(decisionArea.getByRole('button', { name: 'Deactivate…' })).toBeVisible()
  const customerResponse = await page.request.get(
    serviceApiPath('sandbox', `/customers/${customer.id}`, '', customer.account),
  )
  expect(((await customerResponse.json()) as { data: Customer }).data.status).toBe('verified')
})
