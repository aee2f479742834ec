import { createPdfFile, getDecisionRegion, getFileRow, openPayout, uploadFiles } from './desk'
import { expect, test } from './fixtures'

const actionButtonNames = ['Release…', 'Hold…', 'Cancel payout…', 'Upload proof']

test('a viewer sees every action disabled, with a reason for screen readers', async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('viewer')
  await openPayout(page, payout)
  for (const name of actionButtonNames) {
    const button = getDecisionRegion(page).getByRole('button', { name })
    await expect(button).toBeDisabled()
    await expect(button).toHaveAccessibleDescription(/^Only an? .* can /)
  }
})

test('disabled buttons and their shortcuts do nothing', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('viewer')
  await openPayout(page, payout)
  const releaseButton = getDecisionRegion(page).getByRole('button', { name: 'Release…' })
  await releaseButton.focus()
  await expect(page.getByRole('tooltip').filter({ hasText: 'can release a payout' })).toBeVisible()
  for (const key of ['Enter', 'r', 'h', 'x', 'u']) await page.keyboard.press(key)
  await expect(releaseButton).toBeVisible()
  await expect(getDecisionRegion(page).getByLabel('Note', { exact: true })).toHaveCount(0)
  expect(await sandbox.writes(payout.id)).toEqual([])
})

test('a reviewer may upload a proof but not release a payout', { tag: '@full' }, async ({
  signIn,
  sandbox,
}) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('reviewer')
  await openPayout(page, payout)
  await expect(getDecisionRegion(page).getByRole('button', { name: 'Release…' })).toBeDisabled()
  await expect(
    getDecisionRegion(page).getByRole('button', { name: 'Release…' }),
  ).toHaveAccessibleDescription(/Only an operator or an admin/)
  await uploadFiles(page, [createPdfFile('proof.pdf')])
  await expect(getFileRow(page, 'proof.pdf')).toContainText('attached')
  await expect(page.getByText('Document uploaded.', { exact: true })).toBeVisible()
  await expect(page.getByText('Release now?')).toHaveCount(0)
  expect((await sandbox.journal(payout.id)).map((row) => row.operation)).toEqual([
    'payouts.authorize',
  ])
})

test('a direct request past a disabled button is refused and not sent on', {
  tag: '@full',
}, async ({ signIn, sandbox, deskUrl }) => {
  const payout = await sandbox.makePayout()
  const page = await signIn('viewer')
  await openPayout(page, payout)
  const releaseResponse = await page.request.put(
    `/api/sandbox/v1/payouts/${payout.id}/release?account=${payout.account}`,
    {
      headers: { origin: deskUrl, 'idempotency-key': `pdk_${payout.id.replaceAll('-', '')}` },
      data: { reason: 'AUTH_PROOF_OK: pressed past the button' },
    },
  )
  expect(releaseResponse.status()).toBe(403)
  expect(await releaseResponse.json()).toMatchObject({ error: { code: 'forbidden' } })
  expect(await sandbox.writes(payout.id)).toEqual([])
})
