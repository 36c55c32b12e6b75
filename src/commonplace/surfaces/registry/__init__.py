"""The `registry` dialect: skills and knowledge units, validated by peers."""
