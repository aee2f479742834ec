import { makeCustomer, openCustomer } from './customer'
import { expect, test } from './fixtures'

const form = 'Reveal contact and identity data'

test('masked data is revealed for a reason, hidden by hand, and hidden again after a minute', async ({ signIn, deskUrl }) => {
  const customer = await makeCustomer(await signIn('operator'), deskUrl)
  const page = await signIn('reviewer')
  await page.clock.install()
  await openCustomer(page, customer)
  const open = page.getByRole('button', { name: 'Reveal… contact and identity data' })
  await expect(page.getByText(customer.email)).toHaveCount(0)
  await open.click()
  const ask = page.getByRole('form', { name: form })
  await expect(ask.getByLabel('Reason', { exact: true })).toBeFocused()
  await ask.getByRole('button', { name: 'Reveal', exact: true }).click()
  await expect(ask.getByText('choose a reason')).toBeVisible()
  await ask.getByLabel('Reason', { exact: true }).selectOption({ label: 'Get in touch' })
  await ask.getByLabel('In a sentence').fill(`Called ${customer.name} back because of a case.`)
  await ask.getByRole('button', { name: 'Reveal', exact: true }).click()
  await expect(ask.getByRole('alert')).toContainText('tick each line')
  await ask.getByLabel('In a sentence').fill('Called back because of an open case.')
  await ask.getByRole('button', { name: 'Reveal', exact: true }).click()
  await expect(page.getByText(customer.email)).toBeVisible()
  await expect(page.getByText('123-45-6789')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(customer.email)).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('button', { name: 'Hide now' }).click()
  await expect(page.getByText(customer.email)).toHaveCount(0)
  await expect(open).toBeFocused()

  await open.click()
  await ask.getByLabel('Reason', { exact: true }).selectOption({ label: 'Support case' })
  await ask.getByLabel('In a sentence').press('Control+Enter')
  await expect(page.getByText(customer.email)).toBeVisible()
  await page.clock.fastForward(61_000)
  await expect(page.getByText(customer.email)).toHaveCount(0)
})
