import type { Sandbox } from '@/sandbox/sandbox'
import { Random } from '@/sandbox/store/random'
import { seedAccounts } from './seed-accounts'
import { seedCapabilityRequests } from './seed-capability-requests'
import { seedLinkedBankAccounts } from './seed-linked-bank-accounts'
import { seedOrganizations } from './seed-organizations'
import { seedRepresentatives } from './seed-representatives'
import type { SeedTime } from './seed-time'

export function seedPlatform(sandbox: Sandbox, random: Random, time: SeedTime): void {
  // A separate sequence, so that additions here do not change a seed's customers and payments.
  const platformRandom = new Random(sandbox.plan.seed + 1)
  const organizations = seedOrganizations(sandbox, random, platformRandom, time)
  const accounts = seedAccounts(sandbox, random, platformRandom, time, organizations)
  seedRepresentatives(sandbox, platformRandom, time, accounts)
  seedLinkedBankAccounts(sandbox, platformRandom, time, accounts)
  seedCapabilityRequests(sandbox, platformRandom, time, accounts)
}
