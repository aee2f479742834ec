import { randomUUID } from 'node:crypto'
import { editRecordPath, newRecordPath, serviceApiPath } from '@/lib/routes'
import { makeAccount } from './accounts'
import { makeCustomer, openCustomer } from './customer'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { expectAccessible, expectAccessibleAt } from './look'
import { chooseReason, getNoteField, getReasonField, reasonHeader } from './reason'
import { waitForHydration } from './wait-for-hydration'

type Customer = { email: string; phone: string; metadata: Record<string, string>; status: string }

test('the form of a new customer shows errors at their fields, keeps the entries and opens the new page', async ({
  signIn,
  sandbox,
}) => {
  const page = await signIn('operator')
  await goTo(page, newRecordPath('sandbox', 'customers'))
  const createButton = page.getByRole('button', { name: /^Create / })
  await expect(createButton).toHaveAccessibleDescription('Choose the account first.')
  await page.getByLabel('Account', { exact: true }).selectOption({ index: 1 })
  await expect(createButton).not.toHaveAccessibleDescription('Choose the account first.')
  const uniqueTag = randomUUID().slice(0, 8)
  await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Business' })
  await page.getByLabel('Name', { exact: true }).fill(`Pellworm Mills ${uniqueTag}`)
  await page.getByLabel('Email').fill('office at mills')
  await page.getByLabel('Phone').fill('555 0100')
  await page.getByLabel('EIN').fill('12-3456789')
  await createButton.click()
  await expect(page.getByText('Must be an email address')).toBeVisible()
  await expect(page.getByText('Enter a phone number, e.g. (512) 555-0100')).toBeVisible()
  await expect(page.getByText('is required to identify a business')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expectAccessible(page)
  await page.getByLabel('Email').fill(`office.${uniqueTag}@mills.example`)
  await page.getByLabel('Phone').fill('(512) 555-0100')
  await page.getByLabel('Legal name').fill('Pellworm Mills LLC')
  await page.getByRole('button', { name: 'Add a key' }).click()
  await page.getByLabel('Key 1').fill('segment')
  await page.getByLabel('Value 1').fill('retail')
  await page.getByLabel('Outcome, sandbox only').selectOption({ label: 'Verified' })
  await page.getByRole('button', { name: 'Create customer' }).click()
  await expect(
    page.getByRole('heading', { name: `Pellworm Mills ${uniqueTag}`, level: 1 }),
  ).toBeVisible()
  const id = /customers\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
  expect((await sandbox.journal(id)).map(({ operation }) => operation)).toEqual([
    'customers.create',
  ])
  await expect(page.getByText('segment')).toBeVisible()
})

test('an edit keeps masked data and all metadata, and lists metadata it would delete', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const operatorPage = await signIn('operator')
  const metadata = { segment: 'vip', since: '2020', note: 'first' }
  const customer = await makeCustomer(operatorPage, deskUrl, { metadata })
  await openCustomer(operatorPage, customer)
  await operatorPage.keyboard.press('e')
  await expect(operatorPage).toHaveURL(new RegExp(`${customer.id}/edit`))
  await expect(operatorPage.getByLabel('Email')).toHaveAttribute(
    'placeholder',
    /^unchanged: t•••@private\.example$/,
  )
  await operatorPage.getByRole('button', { name: 'Remove note' }).click()
  await expect(operatorPage.getByText('Saving: will be lost: note')).toBeVisible()
  await expect(operatorPage.getByText('2 of 20 entries')).toBeVisible()
  await operatorPage.getByLabel('Value 1').fill('retail')
  await operatorPage.getByLabel('Phone').fill('+15125550199')
  await operatorPage.getByRole('button', { name: 'Save the customer' }).click()
  await expect(getReasonField(operatorPage)).toBeFocused()
  await expect(getReasonField(operatorPage)).toHaveAccessibleDescription(
    'Choose a reason and add a note.',
  )
  await chooseReason(operatorPage, 'Customer request')
  await operatorPage.getByRole('button', { name: 'Save the customer' }).click()
  const timelineList = operatorPage.getByRole('list', { name: 'Timeline, newest first' })
  await expect(timelineList).toContainText('Change a customer: done')
  await expect(timelineList).toContainText(
    'Customer request: The customer reported new details through a known channel.',
  )
  const headers = {
    'action-reason': encodeURIComponent('SUPPORT_CASE: compared after a change'),
    'sec-fetch-site': 'same-origin',
  }
  const unmaskedResponse = await operatorPage.request.get(
    serviceApiPath('sandbox', `/customers/${customer.id}/unmasked`, '', customer.account),
    {
      headers,
    },
  )
  const { data } = (await unmaskedResponse.json()) as { data: Customer }
  expect(data).toMatchObject({ email: customer.email, phone: '+15125550199' })
  const customerResponse = await operatorPage.request.get(
    serviceApiPath('sandbox', `/customers/${customer.id}`, '', customer.account),
  )
  expect(((await customerResponse.json()) as { data: Customer }).data.metadata).toEqual({
    segment: 'retail',
    since: '2020',
  })
})

test('a customer that changed is not overwritten, and untouched fields update', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const page = await signIn('operator')
  const customer = await makeCustomer(page, deskUrl)
  await goTo(
    page,
    editRecordPath('sandbox', 'customers', customer.id, { account: customer.account }),
  )
  await page.getByLabel('Name', { exact: true }).fill('Somebody Else')
  await chooseReason(page, 'Entry error corrected')
  const updateResponse = await page.request.put(
    serviceApiPath('sandbox', `/customers/${customer.id}`, '', customer.account),
    {
      headers: {
        origin: deskUrl,
        ...reasonHeader,
        'idempotency-key': `pdk_${randomUUID().replaceAll('-', '')}`,
      },
      data: { name: customer.name, status: 'verified', metadata: { touched: 'yes' } },
    },
  )
  expect(updateResponse.status()).toBe(200)
  await page.getByRole('button', { name: 'Save the customer' }).click()
  await expect(
    page.getByRole('status').filter({ hasText: 'This changed since you opened it' }),
  ).toBeVisible()
  await expect(
    page.getByRole('status').filter({ hasText: 'The customer changed while this form was open' }),
  ).toContainText(/Changed by you, .*“Entry error corrected: /)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Somebody Else')
  await expect(page.getByLabel('Key 1')).toHaveValue('touched')
  await expect(getNoteField(page)).toHaveValue('An entry error in the record was corrected.')
  await page.getByRole('button', { name: 'Save the customer' }).click()
  await expect(page.getByRole('heading', { name: 'Somebody Else', level: 1 })).toBeVisible()
  const customerResponse = await page.request.get(
    serviceApiPath('sandbox', `/customers/${customer.id}`, '', customer.account),
  )
  expect(((await customerResponse.json()) as { data: Customer }).data).toMatchObject({
    name: 'Somebody Else',
    metadata: { touched: 'yes' },
  })
})

test('an unknown outcome blocks the form across a reload until it is settled', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const page = await signIn('operator')
  // Uses a separate account: a write with an unknown outcome blocks all of this person's forms for
  // new customers in the same account.
  const { account } = await makeAccount(page, deskUrl)
  const name = `Wenna Trelawny ${randomUUID().slice(0, 8)}`
  const fillNewCustomerForm = async () => {
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Email').fill('wenna@private.example')
    await page.getByLabel('Phone').fill('+15125550123')
  }
  await goTo(page, newRecordPath('sandbox', 'customers', { account }))
  await fillNewCustomerForm()
  await sandbox.fault({
    operation: 'customers.create',
    match: name,
    kind: 'status',
    status: 500,
    body: 'none',
    at: 'after',
    count: null,
  })
  await page.getByRole('button', { name: 'Create customer' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Outcome unknown' })).toBeVisible()
  await page.reload()
  await waitForHydration(page)
  await expect(page.getByRole('alert').filter({ hasText: 'Outcome unknown' })).toBeVisible()
  await fillNewCustomerForm()
  const createCustomerButton = page.getByRole('button', { name: 'Create customer' })
  await expect(createCustomerButton).toHaveAccessibleDescription(
    'Your earlier request to create a customer is still in progress.',
  )
  await expectAccessible(page)
  await sandbox.clearFaults()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Customer created' })).toBeVisible()
  await expect(createCustomerButton).toBeEnabled()
  await page.getByRole('link', { name: 'Open it' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  const searchResponse = await page.request.get(
    serviceApiPath('sandbox', '/customers', `search_text=${encodeURIComponent(name)}`, account),
  )
  expect(((await searchResponse.json()) as { data: unknown[] }).data).toHaveLength(1)
})

test('the form of a customer with very long words in the name fits on a phone', {
  tag: '@full',
}, async ({ signIn, deskUrl }) => {
  const page = await signIn('operator')
  const customer = await makeCustomer(page, deskUrl, {
    name: 'Wolfeschlegelsteinhausenbergerdorff '.repeat(4).trim(),
  })
  await goTo(
    page,
    editRecordPath('sandbox', 'customers', customer.id, { account: customer.account }),
  )
  await expectAccessibleAt(page, 'narrow')
})
