import type { Organization } from '@/sandbox/organizations/organization-store'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import type { SeedTime } from './seed-time'

const names = ['Meadowlark Holdings', 'Sahara & Fjord Ventures'] as const

/** Seeds two organizations and returns their ids. The first id is from `random`, the second from `own`. */
export function seedOrganizations({ organizations }: Sandbox, random: Random, own: Random, time: SeedTime): readonly string[] {
  return names.map((name, index) => {
    const times = { created_at: iso(time.start), updated_at: iso(time.start) }
    const metadata = { region: index === 0 ? 'us-south' : 'us-north' }
    const newOrganization: Organization = {
      id: time.id(index === 0 ? random : own, time.start),
      ...{ name, external_id: `org-${index + 1}`, metadata, ...times },
    }
    organizations.insert(null, newOrganization, null)
    return newOrganization.id
  })
}
