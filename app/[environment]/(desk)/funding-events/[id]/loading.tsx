import { RecordSkeleton } from '@/components/kits/record/record-skeleton'

const Loading = () => <RecordSkeleton noun="funding event" />

export default Loading
