import { serviceApiPath } from '@/lib/routes'
import { makeCustomer, openCustomer } from './customer'
import { decisionRegion } from './desk'
import { expect, test } from './fixtures'
import { chooseReason, reasonField } from './reason'

type Customer = { status: string }

test('a customer is switched off and on again', { tag: '@full' }, async ({ signIn, deskUrl }) => {
  const page = await signIn('operator')
  const customer = await makeCustomer(page, deskUrl)
  await openCustomer(page, customer)
  const decision = decisionRegion(page)
  await decision.getByRole('button', { name: 'Deactivate…' }).click()
  await decision.getByRole('button', { name: `Deactivate ${customer.name}` }).click()
  await expect(reasonField(decision)).toHaveAccessibleDescription('Choose a reason and add a note.')
  await chooseReason(decision, 'Customer left')
  await decision.getByRole('button', { name: `Deactivate ${customer.name}` }).click()
  await decision.getByRole('button', { name: 'Reactivate…' }).click()
  await chooseReason(decision, 'Deactivated in error')
  await decision.getByRole('button', { name: `Reactivate ${customer.name}` }).click()
  await expect(decision.getByRole('button', { name: 'Deactivate…' })).toBeVisible()
  const customerResponse = await page.request.get(serviceApiPath('sandbox', `/customers/${customer.id}`, '', customer.account))
  expect(((await customerResponse.json()) as { data: Customer }).data.status).toBe('verified')
})
