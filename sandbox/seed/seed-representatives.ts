import { detailOf } from '@/sandbox/accounts/verification'
import type { Representative } from '@/sandbox/representatives/representative-store'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { firstNames, lastNames } from './names'
import type { SeededAccount } from './seed-accounts'
import type { SeedTime } from './seed-time'

const relationships: readonly Representative['relationship'][] = [
  { primary: true, control: true, owner: true, percent_ownership: 60, title: 'Chief Executive Officer' },
  { primary: false, control: false, owner: true, percent_ownership: 40, title: 'Partner' },
  { primary: false, control: true, owner: false, percent_ownership: null, title: 'Finance Director' },
]

const two = (number: number) => String(number).padStart(2, '0')
const birthday = (random: Random) => `${random.int(1955, 1999)}-${two(random.int(1, 12))}-${two(random.int(1, 28))}`

/** Returns the account's reason; `terminated` exists for accounts only. */
const reasonOf = ({ reason }: SeededAccount['doc']['status_detail']) => (reason === 'terminated' ? 'disabled' : reason)

/** Seeds one to three representatives per account, the first one primary, all in their account's status. */
export function seedRepresentatives(
  { representatives }: Sandbox,
  random: Random,
  time: SeedTime,
  accounts: readonly SeededAccount[],
): void {
  for (const [index, { n, doc }] of accounts.entries()) {
    for (const relationship of relationships.slice(0, 1 + (index % relationships.length))) {
      const [first_name, last_name] = [random.pick(firstNames), random.pick(lastNames)]
      const at = Date.parse(doc.created_at) + random.int(5, 50) * 60_000
      const newRepresentative: Representative = {
        id: time.id(random, at),
        ...{ account_id: doc.id, user_id: null, status: doc.status, status_detail: detailOf(reasonOf(doc.status_detail)) },
        ...{ first_name, last_name, name: `${first_name} ${last_name}`, dob: '****-**-**', ssn_last4: '****' },
        email: `${first_name}.${last_name}`
          .toLowerCase()
          .replace(/[^a-z.]/g, '')
          .concat('@example.com'),
        ...{ mobile_number: `+1512555${random.digits(4)}`, phone: null, relationship, external_id: `rep-${random.digits(6)}` },
        ...{ metadata: {}, created_at: iso(at), updated_at: iso(at) },
      }
      representatives.insert(n, newRepresentative, { dob: birthday(random), ssn_last4: random.digits(4) })
    }
  }
}
