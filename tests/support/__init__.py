"""What tests of several rooms share; importable as `support`."""
