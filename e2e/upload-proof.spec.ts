import type { Page } from '@playwright/test'
import { makeAccountWithCustomer } from './customer'
import {
  chooseFiles,
  createPdfFile,
  fillProof,
  getDecisionRegion,
  getFileRow,
  getTimelineList,
  getUploadButton,
  openPayout,
  openPayoutList,
  retryUploadUntilAttached,
  uploadFiles,
} from './desk'
import { expect, test } from './fixtures'
import { waitForHydration } from './wait-for-hydration'

const getDocumentsSection = (page: Page) =>
  page.getByRole('article', { name: 'Payout' }).locator('section').filter({ hasText: 'Documents' })
const getFileItems = (page: Page) => page.getByRole('list', { name: 'Files' }).getByRole('listitem')
const proofText = 'Authorized by Ana Example on Mar 31, 2026 by signed agreement.'

test('the authorization is entered once for all files, stored, and shown at each document', {
  tag: '@full',
}, async ({ signIn, sandbox }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await chooseFiles(page, [createPdfFile('page one.pdf'), createPdfFile('page two.pdf')])
  const getField = (name: string) => page.getByLabel(name)
  await getField('Note (optional)').fill('Both pages carry her initials.')
  await getField('Date of authorization').fill('2999-01-01')
  await getUploadButton(page).click()
  await expect(getField('Authorized by')).toBeFocused()
  await expect(getField('Authorized by')).toHaveAccessibleDescription(
    /Enter the name of the person who authorized the payment/,
  )
  await expect(getField('Date of authorization')).toHaveAccessibleDescription(
    /Must not be in the future/,
  )
  await expect(getField('Method')).toHaveAccessibleDescription(
    /Choose how the payment was authorized/,
  )
  await expect(getField('Note (optional)')).toHaveValue('Both pages carry her initials.')
  expect(await sandbox.journal(payout.id)).toEqual([])
  await fillProof(page)
  await getUploadButton(page).click()
  await expect(page.getByText('Document uploaded. Release now?')).toBeVisible()
  const proofWithNote = `${proofText} Note: Both pages carry her initials.`
  await expect(getDocumentsSection(page).getByText(proofWithNote)).toHaveCount(2)
  await expect(
    getTimelineList(page).getByRole('listitem').filter({ hasText: 'page one.pdf' }),
  ).toContainText(proofWithNote)
  // Everyone who may open the payout sees the stored authorization.
  const viewerPage = await signIn('viewer')
  await openPayout(viewerPage, payout)
  await expect(getDocumentsSection(viewerPage).getByText(proofWithNote)).toHaveCount(2)
})

test('a lost response and a refusal keep the typed authorization', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('operator')
  await openPayout(page, payout)
  await sandbox.fault({
    operation: 'payouts.authorize',
    match: payout.id,
    kind: 'status',
    status: 422,
  })
  await uploadFiles(page, [createPdfFile('proof.pdf')])
  await expect(getFileRow(page, 'proof.pdf')).toContainText('A planned fault of the sandbox.')
  await expect(page.getByLabel('Authorized by')).toHaveValue('Ana Example')
  await sandbox.fault({
    operation: 'payouts.authorize',
    match: payout.id,
    kind: 'reset',
    at: 'after',
    count: null,
  })
  await getFileRow(page, 'proof.pdf').getByRole('button', { name: 'Try again proof.pdf' }).click()
  await expect(getFileRow(page, 'proof.pdf')).toContainText('outcome unknown', { timeout: 15_000 })
  await sandbox.clearFaults()
  await retryUploadUntilAttached(page, 'proof.pdf')
  await expect(getDocumentsSection(page)).toContainText(proofText)
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('selected files stay with their payout across Escape, other rows and other pages', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const { customer, account } = await makeAccountWithCustomer(await signIn('admin'), deskUrl)
  const firstPayout = await sandbox.makePayout({ customer_id: customer.id, amount: 1_100 })
  await sandbox.makePayout({ customer_id: customer.id, amount: 2_200 })
  const page = await signIn('operator')
  const payoutPanel = page.getByRole('article', { name: 'Payout' })
  await openPayoutList(page, { account, open: firstPayout.id })
  await expect(getDecisionRegion(page).getByRole('button', { name: 'Upload proof' })).toBeEnabled()
  await chooseFiles(page, [createPdfFile('proof.pdf')])
  await expect(getFileRow(page, 'proof.pdf')).toContainText('ready')
  await page.getByLabel('Authorized by').fill('Ana Example')

  await page.keyboard.press('Escape')
  await expect(payoutPanel.getByText('1 file you chose is not uploaded yet.')).toBeInViewport()
  await page.getByRole('button', { name: 'Continue upload' }).click()
  await expect(getFileRow(page, 'proof.pdf')).toContainText('ready')
  await payoutPanel.getByRole('heading', { name: '11.00' }).focus()
  await page.keyboard.press('j')
  await expect(payoutPanel.getByRole('heading', { name: '22.00' })).toBeVisible()
  await expect(getFileItems(page)).toHaveCount(0)
  await page.keyboard.press('k')
  await expect(payoutPanel.getByRole('heading', { name: '11.00' })).toBeVisible()
  await expect(getFileRow(page, 'proof.pdf')).toContainText('ready')

  await page.getByRole('navigation').getByRole('link', { name: 'Customers' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible()
  const dialogEvent = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await dialogEvent
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await page.goBack()
  await expect(payoutPanel.getByRole('heading', { name: '11.00' })).toBeVisible()
  await expect(getFileRow(page, 'proof.pdf')).toContainText('ready')
  await expect(page.getByLabel('Authorized by')).toHaveValue('Ana Example')
  expect(await sandbox.journal(firstPayout.id)).toEqual([])
  await fillProof(page)
  await getUploadButton(page).click()
  await expect(getFileRow(page, 'proof.pdf')).toContainText('attached')
  expect(await sandbox.journal(firstPayout.id)).toHaveLength(1)
  await page.reload()
  await waitForHydration(page)
  await expect(getDocumentsSection(page)).toContainText(proofText)
})
