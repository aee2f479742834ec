import {
  Activity,
  ArrowLeftRight,
  Banknote,
  Building2,
  Gauge,
  HandCoins,
  House,
  IdCard,
  KeyRound,
  Landmark,
  Layers,
  Network,
  Users,
  UserX,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { PageId } from '@/lib/pages'

/** One icon for each page. Drawn on the server and handed on, so that the icon library is not part of the page's script. */
export const pageIcons: Record<PageId, ReactNode> = {
  home: <House aria-hidden="true" />,
  payouts: <Banknote aria-hidden="true" />,
  charges: <HandCoins aria-hidden="true" />,
  paykeys: <KeyRound aria-hidden="true" />,
  deletions: <UserX aria-hidden="true" />,
  limits: <Gauge aria-hidden="true" />,
  payments: <ArrowLeftRight aria-hidden="true" />,
  customers: <Users aria-hidden="true" />,
  accounts: <Building2 aria-hidden="true" />,
  organizations: <Network aria-hidden="true" />,
  representatives: <IdCard aria-hidden="true" />,
  linked_bank_accounts: <Landmark aria-hidden="true" />,
  funding_events: <Layers aria-hidden="true" />,
  activity: <Activity aria-hidden="true" />,
}

export type PageIcons = typeof pageIcons
