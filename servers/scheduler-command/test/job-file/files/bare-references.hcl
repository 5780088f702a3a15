job "bare" {
  constraint {
    attribute = attr.kernel.name
    value     = "linux"
  }
  group "g" {
    task "t" {
      driver = "docker"
      config {
        image    = "x"
        hostname = NOMAD_ALLOC_ID
        args     = [node.unique.name, meta.rack, env["HOME"]]
      }
    }
  }
}
