import { serviceApiPath } from '@/lib/routes'
import { makeCustomer, openCustomer } from './customer'
import { expect, test } from './fixtures'

const revealFormName = 'Reveal contact and identity data'

test('masked data is revealed for a reason, hidden by hand, and hidden again after a minute', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const customer = await makeCustomer(await signIn('operator'), deskUrl)
  const page = await signIn('reviewer')
  await page.clock.install()
  await openCustomer(page, customer)
  const revealButton = page.getByRole('button', { name: 'Reveal… contact and identity data' })
  await expect(page.getByText(customer.email)).toHaveCount(0)
  await revealButton.click()
  const revealForm = page.getByRole('form', { name: revealFormName })
  await expect(revealForm.getByLabel('Reason', { exact: true })).toBeFocused()
  await revealForm.getByRole('button', { name: 'Reveal', exact: true }).click()
  await expect(revealForm.getByText('Choose a reason.', { exact: true })).toBeVisible()
  await revealForm.getByLabel('Reason', { exact: true }).selectOption({ label: 'Contact customer' })
  await revealForm
    .getByLabel('Note', { exact: true })
    .fill(`Called ${customer.name} back because of a case.`)
  await revealForm.getByRole('button', { name: 'Reveal', exact: true }).click()
  await expect(revealForm.getByRole('alert')).toContainText('Check each box to continue')
  await revealForm.getByLabel('Note', { exact: true }).fill('Called back because of an open case.')
  await revealForm.getByRole('button', { name: 'Reveal', exact: true }).click()
  await expect(page.getByText(customer.email)).toBeVisible()
  await expect(page.getByText('123-45-6789')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(customer.email)).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('button', { name: 'Hide now' }).click()
  await expect(page.getByText(customer.email)).toHaveCount(0)
  await expect(revealButton).toBeFocused()

  await revealButton.click()
  await revealForm.getByLabel('Reason', { exact: true }).selectOption({ label: 'Support case' })
  await revealForm.getByLabel('Note', { exact: true }).press('Control+Enter')
  await expect(page.getByText(customer.email)).toBeVisible()
  await page.clock.fastForward(61_000)
  await expect(page.getByText(customer.email)).toHaveCount(0)
})

test('a reveal that the service refuses shows nothing and keeps the entries', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const customer = await makeCustomer(await signIn('operator'), deskUrl)
  const page = await signIn('reviewer')
  await openCustomer(page, customer)
  await page.getByRole('button', { name: 'Reveal… contact and identity data' }).click()
  const contactRevealForm = page.getByRole('form', { name: revealFormName })
  await contactRevealForm
    .getByLabel('Reason', { exact: true })
    .selectOption({ label: 'Suspected fraud' })
  await sandbox.fault({
    operation: 'customers.unmask',
    match: customer.id,
    kind: 'status',
    status: 403,
  })
  await contactRevealForm.getByRole('button', { name: 'Reveal', exact: true }).click()
  await expect(contactRevealForm.getByRole('alert')).toContainText('Nothing was revealed')
  await expect(contactRevealForm.getByLabel('Note', { exact: true })).toHaveValue(
    'Investigation of suspected fraud.',
  )
})

test('the last reveal of the hour is announced, and the next one shows when it is possible again', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const customer = await makeCustomer(await signIn('operator'), deskUrl)
  const page = await signIn('admin')
  const headers = {
    'action-reason': encodeURIComponent('SUPPORT_CASE: counted down to the last one'),
    'sec-fetch-site': 'same-origin',
  }
  const unmaskedUrl = serviceApiPath(
    'sandbox',
    `/customers/${customer.id}/unmasked`,
    '',
    customer.account,
  )
  // Reveals the customer's data once. Returns how many more times this person can reveal data
  // within the hour.
  const sendReveal = async () => {
    const unmaskedResponse = await page.request.get(unmaskedUrl, { headers })
    return ((await unmaskedResponse.json()) as { meta: { reveals_left: number } }).meta.reveals_left
  }
  for (let revealsLeft = await sendReveal(); revealsLeft > 1; revealsLeft -= 1)
    expect(await sendReveal()).toBe(revealsLeft - 1)
  await openCustomer(page, customer)
  const repeatedRevealForm = page.getByRole('form', { name: revealFormName })
  const submitReveal = async () => {
    await page.getByRole('button', { name: 'Reveal… contact and identity data' }).click()
    await repeatedRevealForm
      .getByLabel('Reason', { exact: true })
      .selectOption({ label: 'Support case' })
    await repeatedRevealForm.getByRole('button', { name: 'Reveal', exact: true }).click()
  }
  await submitReveal()
  await expect(page.getByText('Revealed, recorded, 0 more left this hour.')).toBeVisible()
  await page.getByRole('button', { name: 'Hide now' }).click()
  await submitReveal()
  await expect(repeatedRevealForm.getByRole('alert')).toContainText(
    'You have used all 30 reveals of this hour',
  )
  await expect(repeatedRevealForm.getByRole('alert')).toContainText(/Try again: .* in (59 min|1 h)/)
})
