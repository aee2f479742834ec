import { judge } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { movePaykey } from './move-paykey'
import { blockCauses } from './paykey-causes'
import { paykeyMachine } from './paykey-machine'
import { type BlockingCode, bankAccountOf } from './paykey-store'

/**
 * Blocks every usable paykey on a paykey's bank account, across customers and accounts, and closes the bank account to new ones
 * (provider-facts 3.3). After R29 a paykey can be unblocked once. R02 and R05 are permanent, also for paykeys that R29 blocked before. Must
 * run inside the change's transaction.
 */
export function blockPaykeysOf(sandbox: Sandbox, paykeyNumber: number, code: BlockingCode, at: number): void {
  const returned = sandbox.paykeys.at(paykeyNumber)
  if (!returned) return
  const bankAccount = bankAccountOf(returned)
  sandbox.paykeys.rememberBlock(bankAccount, code, at)
  for (const entry of sandbox.paykeys.on(bankAccount)) {
    const { status, status_details } = entry.doc
    const closes = code !== 'R29' && status_details.code === 'R29'
    if (judge(paykeyMachine, 'block', status) === 'moves') movePaykey(sandbox, entry, 'block', at, blockCauses[code])
    else if (closes && judge(paykeyMachine, 'close', status) === 'moves') movePaykey(sandbox, entry, 'close', at, blockCauses[code])
  }
}
