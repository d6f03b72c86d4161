export * from 'lucide-preact';
