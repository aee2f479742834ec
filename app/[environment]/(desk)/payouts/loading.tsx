import { ListSkeleton } from '@/components/kits/list/list-skeleton'

const Loading = () => <ListSkeleton title="Payouts" />

export default Loading
