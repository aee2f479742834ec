import { expect, test } from 'vitest'
import type { ServiceObject } from '@/tests/sandbox/make-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type SeededSettings = {
  settings: Record<'charges' | 'payouts', { linked_bank_account_id: string | null }>
}

const readObject = async (path: string) => (await client().ask(path)).json.data as ServiceObject

test('the seed has accounts in every stage, with settings that refer to existing bank accounts', async () => {
  const seededAccounts = (
    (await client().ask('/v1/accounts?page_size=16')).json.data as ServiceObject[]
  ).map((account) => account as ServiceObject & SeededSettings)
  const statusAndReasonTexts = seededAccounts.map(
    ({ status, status_detail }) => `${status} ${status_detail.reason}`,
  )
  const inactiveStageTexts = [
    'created unverified',
    'inactive terminated',
    'onboarding in_review',
    'onboarding pending',
    'onboarding stuck',
  ]
  expect(statusAndReasonTexts.toSorted()).toEqual([
    ...Array<string>(10).fill('active verified'),
    ...inactiveStageTexts,
    'rejected failed_verification',
  ])
  for (const { id, status, settings } of seededAccounts.filter(
    (account) => !['rejected', 'inactive'].includes(account.status),
  )) {
    for (const type of ['charges', 'payouts'] as const) {
      const linkedBankAccount = await readObject(
        `/v1/linked_bank_accounts/${settings[type].linked_bank_account_id}`,
      )
      expect(linkedBankAccount).toMatchObject({
        account_id: id,
        status,
        purposes: expect.arrayContaining([type]),
      })
    }
  }
})
