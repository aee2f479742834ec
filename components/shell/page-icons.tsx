import {
  Activity,
  ArrowLeftRight,
  Banknote,
  Building2,
  CheckCheck,
  Gauge,
  HandCoins,
  House,
  IdCard,
  KeyRound,
  Landmark,
  Layers,
  Network,
  Scale,
  ScrollText,
  Settings,
  UserCog,
  Users,
  UserX,
  Webhook,
} from 'lucide'
import type { ReactNode } from 'react'
import { LineIcon } from '@/components/ui/line-icon'
import type { PageId } from '@/lib/pages'

/**
 * The icon of each page. The server renders the icons and passes them as props, so that they are
 * not part of the browser's scripts.
 */
export const pageIcons: Record<PageId, ReactNode> = {
  home: <LineIcon shapes={House} />,
  approvals: <LineIcon shapes={CheckCheck} />,
  people: <LineIcon shapes={UserCog} />,
  policies: <LineIcon shapes={Scale} />,
  payouts: <LineIcon shapes={Banknote} />,
  charges: <LineIcon shapes={HandCoins} />,
  paykeys: <LineIcon shapes={KeyRound} />,
  deletions: <LineIcon shapes={UserX} />,
  limits: <LineIcon shapes={Gauge} />,
  payments: <LineIcon shapes={ArrowLeftRight} />,
  customers: <LineIcon shapes={Users} />,
  accounts: <LineIcon shapes={Building2} />,
  organizations: <LineIcon shapes={Network} />,
  representatives: <LineIcon shapes={IdCard} />,
  linked_bank_accounts: <LineIcon shapes={Landmark} />,
  funding_events: <LineIcon shapes={Layers} />,
  activity: <LineIcon shapes={Activity} />,
  webhooks: <LineIcon shapes={Webhook} />,
  audit: <LineIcon shapes={ScrollText} />,
  settings: <LineIcon shapes={Settings} />,
}

export type PageIcons = typeof pageIcons
